import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { alice, curated } from '@/testing/catalogue-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { DeleteSection } from './delete-section'
import { RightsSection } from './rights-section'

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

const person = (username: string) => ({ username, display_name: username })

test('the record says who changed what, from what to what', async () => {
  const entry = { id: 1, created_at: '2026-01-05T10:00:00Z', actor: person('alice'), subject: null }
  const results = [
    {
      ...entry,
      id: 2,
      action: 'role_changed',
      subject: person('bob'),
      before: { role: 'annotator' },
      after: { role: 'curator' },
    },
    {
      ...entry,
      action: 'settings_changed',
      before: { overlap: 3, confidence: null },
      after: { overlap: 5, confidence: 0.9 },
    },
    {
      ...entry,
      id: 0,
      action: 'password_reset',
      actor: null,
      subject: person('bob'),
      before: {},
      after: { tokens_revoked: 2 },
    },
  ]
  server.use(
    http.get('*/api/v1/projects/:slug/record', () => HttpResponse.json({ next: null, previous: null, results })),
  )
  const { user } = renderPage(<RightsSection slug="harbour" />, alice)
  await user.click(await screen.findByRole('button', { name: 'Show the record' }))
  const entries = (await screen.findAllByRole('listitem')).map((each) => each.textContent)
  expect(entries[0]).toContain('Role changed: bob')
  expect(entries[0]).toContain('Role Annotator → Curator')
  expect(entries[1]).toContain('Answers per caption 3 → 5')
  expect(entries[1]).toContain('– → 0.9')
  expect(entries[2]).toMatch(/New password chosen with a link: bob.*The server/)
  expect(entries[2]).not.toContain('tokens_revoked')
})
