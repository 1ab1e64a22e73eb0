import { screen } from '@testing-library/react'
import { http } from 'msw'
import { expect, test, vi } from 'vitest'
import { alice, curated } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AddControlDialog } from './add-control-dialog'

test('a number that no photograph has is told at its field', async () => {
  server.use(
    http.post('*/projects/:slug/controls', () =>
      refusal(404, 'not_found', 'There is nothing here, or it is not yours to see.'),
    ),
  )
  const { user } = renderPage(<AddControlDialog project={curated} onClose={vi.fn()} />, alice)
  await user.type(await screen.findByRole('textbox', { name: 'Photograph' }), '99999')
  await user.type(screen.getByRole('textbox', { name: 'Caption' }), 'A whale reads.')
  await user.click(screen.getByRole('button', { name: 'Add it' }))
  expect(await screen.findByText('No photograph of this project has this number.')).toBeVisible()
  expect(screen.getByRole('textbox', { name: 'Photograph' })).toBeInvalid()
  expect(screen.queryByText(/There is nothing here/)).not.toBeInTheDocument()
})
