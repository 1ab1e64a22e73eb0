import { screen, waitFor, within } from '@testing-library/react'
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
  {
    id: 2,
    username: 'bob',
    display_name: 'Bob',
    role: 'annotator',
    joined_at: '2026-01-05T10:00:00Z',
    last_seen_at: '2026-01-06T10:00:00Z',
  },
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
    http.get('*/api/v1/projects/:slug/invitations/batch', () => HttpResponse.json(page([]))),
    http.get('*/api/v1/projects/:slug/annotators', () => HttpResponse.json(page([]))),
  )
})

const link = (n: number) => ({
  ...invitation,
  id: n,
  note: `Course ${n}`,
  url: `https://connote.example/invitations/secret${n}`,
  token: `secret${n}`,
})

test('an invitation link is made, shown once and can be copied, alone or in a message', async () => {
  const { url } = link(1)
  server.use(
    http.post('*/api/v1/projects/:slug/invitations/batch', () =>
      HttpResponse.json({ invitations: [link(1)] }, { status: 201 }),
    ),
  )
  const { user } = renderPage(<PeoplePage project={curated} onLeft={vi.fn()} />, alice)
  await user.click(await screen.findByRole('button', { name: 'Invite someone' }))
  await user.click(await screen.findByRole('button', { name: 'Create link' }))
  expect(await screen.findByText(url)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Copy the message' }))
  expect(await navigator.clipboard.readText()).toBe(
    `You can join “${curated.name}” on Connote as annotator. Open this link within 14 days: ${url}`,
  )
  await user.click(screen.getByRole('button', { name: 'Copy the link' }))
  expect(await navigator.clipboard.readText()).toBe(url)
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByText(url)).not.toBeInTheDocument()
})

test('several links are made at once, and copied one under the other', async () => {
  let sent: unknown
  server.use(
    http.post('*/api/v1/projects/:slug/invitations/batch', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ invitations: [link(1), link(2)] }, { status: 201 })
    }),
  )
  const { user } = renderPage(<PeoplePage project={curated} onLeft={vi.fn()} />, alice)
  await user.click(await screen.findByRole('button', { name: 'Invite someone' }))
  const field = await screen.findByRole('textbox', { name: 'Number of links' })
  await user.clear(field)
  await user.type(field, '2')
  await user.type(screen.getByRole('textbox', { name: 'Note' }), 'Course')
  await user.click(screen.getByRole('button', { name: /^Create/ }))
  const links = await screen.findByRole('list', { name: 'all links' })
  expect(within(links).getAllByRole('listitem')).toHaveLength(2)
  expect(sent).toEqual({ role: 'annotator', note: 'Course', expires_in_days: 14, n: 2 })
  await user.click(screen.getByRole('button', { name: 'Copy all links' }))
  expect(await navigator.clipboard.readText()).toBe(`${link(1).url}\n${link(2).url}`)
})

test('a batch counts its links by state, shows them, and its open links are withdrawn together', async () => {
  const batch = { id: 7, role: 'annotator', note: 'Course', n: 10, n_accepted: 4, n_withdrawn: 1, n_expired: 2, n_open: 3 }
  const dates = { created_at: invitation.created_at, expires_at: invitation.expires_at }
  let isWithdrawn = false
  let asked: string | null = null
  server.use(
    http.get('*/api/v1/projects/:slug/invitations/batch', () =>
      HttpResponse.json(
        page([{ ...batch, ...dates, ...(isWithdrawn && { n_withdrawn: 4, n_open: 0 }) }]),
      ),
    ),
    http.get('*/api/v1/projects/:slug/invitations', ({ request }) => {
      asked = new URL(request.url).searchParams.get('batch')
      return HttpResponse.json(page([invitation]))
    }),
    http.delete('*/api/v1/projects/:slug/invitations/batch/7', () => {
      isWithdrawn = true
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user } = renderPage(<PeoplePage project={curated} onLeft={vi.fn()} />, alice)
  const table = within(await screen.findByRole('grid', { name: 'Links made at once' }))
  const counts = () =>
    table
      .getAllByRole('gridcell')
      .map((cell) => cell.textContent)
      .slice(3, 8)
  expect(counts()).toEqual(['10', '4', '1', '2', '3'])
  await user.click(table.getByRole('link', { name: 'Course' }))
  await waitFor(() => expect(asked).toBe('7'))
  expect(await screen.findByRole('link', { name: 'Show all links' })).toBeVisible()
  await user.click(table.getByRole('button', { name: 'Withdraw: Course' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Withdraw 3 open links?' }))
  await user.click(dialog.getByRole('button', { name: 'Withdraw' }))
  await waitFor(() => expect(counts()).toEqual(['10', '4', '4', '2', '0']))
  expect(table.queryByRole('button', { name: 'Withdraw: Course' })).not.toBeInTheDocument()
})

test('beside a member stands how much they did, of how much they may, and when they were last seen', async () => {
  const bob = {
    user: { id: 2, username: 'bob', display_name: 'Bob' },
    hits: 12,
    agreement: { k: 8, n: 10, share: 0.8, low: 0.5, high: 0.9 },
    last_active_at: new Date().toISOString(),
  }
  server.use(http.get('*/api/v1/projects/:slug/annotators', () => HttpResponse.json(page([bob]))))
  renderPage(<PeoplePage project={{ ...curated, hits_per_annotator: 40 }} onLeft={vi.fn()} />, alice)
  const work = await screen.findByRole('link', { name: /, Bob$/ })
  expect(work).toHaveAttribute('href', `/projects/${curated.slug}/quality/annotators/2`)
  const row = screen.getByRole('row', { name: /Bob/ })
  expect(
    within(row)
      .getAllByRole('gridcell')
      .map(({ textContent }) => textContent),
  ).toContain('80%')
  expect(row).toHaveTextContent('just now')
  expect(work).toHaveTextContent('12 of 40')
  expect(within(row).getByRole('progressbar', { name: '12 of 40 tasks submitted' })).toBeVisible()
  expect(screen.queryByRole('link', { name: /, Alice$/ })).not.toBeInTheDocument()
})

test('a press on a title sorts the members, and a chip in the address leaves one role', async () => {
  const { user } = renderPage(<PeoplePage project={curated} onLeft={vi.fn()} />, alice)
  const table = await screen.findByRole('grid', { name: 'Members' })
  const names = () =>
    within(table)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent)
  await user.click(within(table).getByRole('columnheader', { name: 'Role' }))
  expect(names().map((name) => name.slice(0, 3))).toEqual(['Bob', 'Ali'])
  await user.click(screen.getByRole('link', { name: /^Curator 1/ }))
  await waitFor(() => expect(names()).toHaveLength(1))
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
