import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { alice, curated, images } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AddControlDialog } from './add-control-dialog'

test('a photograph is chosen from those in sight, or by its number where there are thousands', async () => {
  const sent: unknown[] = []
  server.use(
    http.get('*/projects/:slug/images', () => HttpResponse.json({ next: null, results: images(1, 9) })),
    http.get('*/projects/:slug/images/:id', ({ params }) =>
      params.id === '4711'
        ? HttpResponse.json(images(4711, 1)[0])
        : refusal(404, 'not_found', 'There is nothing here, or it is not yours to see.'),
    ),
    http.post('*/projects/:slug/controls', async ({ request }) => {
      sent.push(await request.json())
      return refusal(400, 'said_elsewhere', 'Another image has these words.')
    }),
  )
  const { user } = renderPage(<AddControlDialog project={curated} onClose={vi.fn()} />, alice)
  await user.click(await screen.findByRole('radio', { name: 'Image 8' }))
  const number = screen.getByRole('textbox', { name: 'Or enter its number' })
  await user.type(number, '99999{Tab}')
  expect(await screen.findByText('This project has no image with this number.')).toBeVisible()
  await user.clear(number)
  await user.type(number, '4711{Tab}')
  await user.click(await screen.findByRole('radio', { name: 'Image 4,711' }))
  expect(screen.getByRole('button', { name: 'Add' })).toBeDisabled()
  await user.type(screen.getByRole('textbox', { name: 'Caption' }), 'A whale reads.')
  await user.click(screen.getByRole('button', { name: 'Add' }))
  expect(await screen.findByText('Another image has these words.')).toBeVisible()
  expect(sent).toEqual([{ image: 4711, text: 'A whale reads.', accepted: ['bad'], explanation: '', is_quiz: false }])
})
