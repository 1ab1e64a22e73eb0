import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import { alice, curated } from '@/testing/catalogue-data'
import { harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { PeoplePage } from './people-page'

const members = [
  { id: 1, username: 'alice', display_name: 'Alice', role: 'curator', joined_at: '2026-01-05T10:00:00Z' },
  { id: 2, username: 'bob', display_name: 'Bob', role: 'annotator', joined_at: '2026-01-05T10:00:00Z' },
]
const invitation = {
  id: 5,
  role: 'annotator',
  note: 'for bob',
  created_at: '2026-01-05T10:00:00Z',
  expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  accepted_at: null,
  accepted_by: null,
  revoked_at: null,
}
const page = (results: unknown[]) => ({ next: null, previous: null, results })

beforeEach(() => {
  server.use(
    http.get('*/api/v1/projects/:slug/members', () => HttpResponse.json(page(members))),
    http.get('*/api/v1/projects/:slug/invitations', () => HttpResponse.json(page([invitation]))),
  )
})

test('an invitation link is made, shown once and can be copied', async () => {
  const url = 'https://connote.example/invitations/secret'
  server.use(
    http.post('*/api/v1/projects/:slug/invitations', () =>
      HttpResponse.json({ ...invitation, url, token: 'secret' }, { status: 201 }),
    ),
  )
  const { user } = renderPage(<PeoplePage project={curated} onLeft={vi.fn()} />, alice)
  await user.click(await screen.findByRole('button', { name: 'Invite someone' }))
  await user.click(await screen.findByRole('button', { name: 'Create link' }))
  expect(await screen.findByText(url)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Copy the link' }))
  expect(await navigator.clipboard.readText()).toBe(url)
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByText(url)).not.toBeInTheDocument()
})

test('an open invitation can be withdrawn', async () => {
  let withdrawn = ''
  server.use(
    http.delete('*/api/v1/projects/:slug/invitations/:id', ({ params }) => {
      withdrawn = String(params.id)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user } = renderPage(<PeoplePage project={curated} onLeft={vi.fn()} />, alice)
  await user.click(await screen.findByRole('button', { name: 'Withdraw: Annotator, for bob' }))
  await waitFor(() => expect(withdrawn).toBe('5'))
})

test('the last curator cannot leave, and is told why', async () => {
  server.use(
    http.delete('*/api/v1/projects/:slug/members/:id', () =>
      refusal(409, 'last_curator', 'A project needs a curator: make somebody else a curator first.'),
    ),
  )
  const onLeft = vi.fn()
  const { user } = renderPage(<PeoplePage project={curated} onLeft={onLeft} />, alice)
  await user.click(await screen.findByRole('button', { name: 'Leave the project' }))
  await user.click(await screen.findByRole('button', { name: 'Leave the project' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('A project needs a curator')
  expect(onLeft).not.toHaveBeenCalled()
})

test('a head annotator sees the members and changes nothing', async () => {
  renderPage(<PeoplePage project={{ ...harbour, role: 'head_annotator' }} onLeft={vi.fn()} />)
  expect(await screen.findByText('Alice')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Invite someone' })).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Remove Alice' })).not.toBeInTheDocument()
})

test('a link for a new password is made and shown once', async () => {
  const url = 'https://connote.example/new-password#MQ.secret'
  server.use(
    http.post('*/api/v1/projects/:slug/members/2/reset-link', () =>
      HttpResponse.json({ url, username: 'bob', expires_at: '2026-01-07T10:00:00Z' }, { status: 201 }),
    ),
  )
  const { user } = renderPage(<PeoplePage project={curated} onLeft={vi.fn()} />, alice)
  await user.click(await screen.findByRole('button', { name: 'Account of Bob' }))
  await user.click(await screen.findByRole('menuitem', { name: /New password/ }))
  await user.click(await screen.findByRole('button', { name: 'Create link' }))
  expect(await screen.findByText(url)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByText(url)).not.toBeInTheDocument()
})

test('the account of a member is erased once its user name is typed', async () => {
  let sent: unknown = null
  server.use(
    http.post('*/api/v1/projects/:slug/members/2/erase', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ pseudonym: 'erased-1a2b3c4d5e' })
    }),
  )
  const { user } = renderPage(<PeoplePage project={curated} onLeft={vi.fn()} />, alice)
  await user.click(await screen.findByRole('button', { name: 'Account of Bob' }))
  await user.click(await screen.findByRole('menuitem', { name: /Erase the account/ }))
  await user.type(await screen.findByLabelText('Type bob to confirm'), 'bo')
  expect(screen.getByRole('button', { name: 'Erase for good' })).toBeDisabled()
  await user.type(screen.getByLabelText('Type bob to confirm'), 'b')
  await user.click(screen.getByRole('button', { name: 'Erase for good' }))
  await waitFor(() => expect(screen.queryByLabelText('Type bob to confirm')).not.toBeInTheDocument())
  expect(sent).toEqual({ username: 'bob' })
})
