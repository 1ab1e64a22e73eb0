import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { alice, curated } from '@/testing/catalogue-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { DeleteSection } from './delete-section'

test('a project is deleted once its address is typed', async () => {
  let sent: unknown = null
  server.use(
    http.post('*/api/v1/projects/:slug/delete', async ({ request }) => {
      sent = await request.json()
      return new HttpResponse(null, { status: 202 })
    }),
  )
  const onDeleted = vi.fn()
  const { user } = renderPage(<DeleteSection project={curated} onDeleted={onDeleted} />, alice)
  await user.click(await screen.findByRole('button', { name: 'Delete this project' }))
  const field = await screen.findByLabelText(`Type ${curated.slug} to confirm`)
  await user.type(field, curated.slug.slice(0, -1))
  expect(screen.getByRole('button', { name: 'Delete for good' })).toBeDisabled()
  await user.type(field, curated.slug.slice(-1))
  await user.click(screen.getByRole('button', { name: 'Delete for good' }))
  await waitFor(() => expect(onDeleted).toHaveBeenCalledOnce())
  expect(sent).toEqual({ slug: curated.slug })
})
