import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { FeedbackEffect, FeedbackTemplate, Remark, RemarkCounts } from '@/lib/api/served'
import { harbour } from '@/testing/data'
import { remark } from '@/testing/remark-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { FeedbackPage } from './feedback-page'

const counts: RemarkCounts = {
  states: { sent: 3, seen: 1, acknowledged: 2, answered: 2, withdrawn: 0 },
  n_waiting: 1,
  annotators: [{ id: 2, name: 'Bob' }],
  authors: [{ id: 3, name: 'Dora' }],
}

const template: FeedbackTemplate = {
  id: 5,
  code: 'wrong_count',
  name: 'Wrong count',
  text: 'Count.',
  is_own: false,
  n_used: 4,
}

const page = (results: readonly object[]) => HttpResponse.json({ next: null, previous: null, results })

function Head({ start }: { start: Record<string, unknown> }) {
  const [search, setSearch] = useState<Readonly<Record<string, unknown>>>(start)
  return <FeedbackPage project={{ ...harbour, role: 'head_annotator' }} search={search} onSearch={setSearch} />
}

/** The page of the head annotator with these threads; the addresses that were asked for are in the list it gives. */
function openPage(written: Remark[], start: Record<string, unknown> = {}, effects: FeedbackEffect[] = []) {
  const asked: URL[] = []
  server.use(
    http.get('*/api/v1/projects/:slug/remarks', ({ request }) => {
      asked.push(new URL(request.url))
      return page(written)
    }),
    http.get('*/api/v1/projects/:slug/feedback/counts', () => HttpResponse.json(counts)),
    http.get('*/api/v1/projects/:slug/feedback/templates', () => HttpResponse.json([template])),
    http.get('*/api/v1/projects/:slug/feedback/effect', () => page(effects)),
  )
  return { ...renderPage(<Head start={start} />), asked }
}

test('each thread says one state: who agrees does not wait', async () => {
  openPage([
    remark({ id: 1 }),
    remark({ id: 2, state: 'acknowledged', answer: 'agree', is_unread: false }),
    remark({ id: 3, state: 'answered', answer: 'talk', is_unread: false, awaits_reply: true }),
    remark({ id: 4, state: 'answered', answer: 'talk', is_unread: false }),
  ])
  const threads = await screen.findAllByRole('listitem', { name: 'To Bob' })
  const words = ['Agrees', 'Needs your reply', 'Replied', 'Acknowledged', 'Withdrawn']
  const said = threads.map((thread) => words.filter((word) => within(thread).queryByText(word)))
  expect(said).toEqual([[], ['Agrees'], ['Needs your reply'], ['Replied']])
})

test('states carry their counts and narrow the list, with the address', async () => {
  const { user, asked } = openPage([remark()])
  expect(await screen.findByRole('button', { name: 'All 8', pressed: true })).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Needs your reply 1' }))
  await waitFor(() => expect(asked.at(-1)?.searchParams.get('is_waiting')).toBe('true'))
  await user.click(screen.getByRole('button', { name: 'Acknowledged 2' }))
  await waitFor(() => expect(asked.at(-1)?.searchParams.get('state')).toBe('acknowledged'))
})

test('a link opens the list as it was narrowed, and nonsense in it asks for nothing', async () => {
  const { asked } = openPage([], { state: 'waiting', annotator: 2, author: 'x', template: -1 })
  expect(await screen.findByText('No feedback matches.')).toBeVisible()
  expect([...(asked[0]?.searchParams ?? [])]).toEqual([
    ['annotator', '2'],
    ['is_waiting', 'true'],
  ])
})

test('feedback is withdrawn after one question', async () => {
  const gone: unknown[] = []
  const { user } = openPage([remark({ id: 9 })])
  server.use(
    http.post('*/api/v1/remarks/:id/withdraw', ({ params }) => {
      gone.push(params.id)
      return HttpResponse.json(remark({ id: 9, state: 'withdrawn' }))
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Withdraw' }))
  const dialog = within(screen.getByRole('alertdialog', { name: 'Withdraw this feedback?' }))
  expect(dialog.getByText(/Bob can no longer read it/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Withdraw' }))
  await waitFor(() => expect(gone).toEqual(['9']))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
})

test('what was withdrawn is kept to read, without buttons', async () => {
  openPage([remark({ state: 'withdrawn', withdrawn_at: '2026-03-02T10:00:00Z', is_unread: false })])
  const thread = within(await screen.findByRole('listitem', { name: 'To Bob' }))
  expect(thread.getByText('It is a metaphor, and a fair one.')).toBeVisible()
  expect(thread.queryByRole('button')).not.toBeInTheDocument()
})

test('the head replies under the thread', async () => {
  const sent: unknown[] = []
  const { user } = openPage([remark({ state: 'answered', answer: 'talk', awaits_reply: true })])
  server.use(
    http.post('*/api/v1/remarks/:id/replies', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(remark(), { status: 201 })
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Reply' }))
  await user.type(screen.getByRole('textbox', { name: 'Your reply' }), ' The red one. ')
  await user.click(screen.getByRole('button', { name: 'Send reply' }))
  await waitFor(() => expect(sent).toEqual([{ text: 'The red one.' }]))
})

test('a template is shown in the language of the page, and changed with both its words', async () => {
  const sent: unknown[] = []
  const { user } = openPage([], { tab: 'templates' })
  server.use(
    http.patch('*/api/v1/projects/:slug/feedback/templates/:id', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ ...template, is_own: true })
    }),
  )
  expect(await screen.findByText('Used 4 times')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Edit the template “Wrong count”' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), '!')
  await user.click(screen.getByRole('button', { name: 'Save template' }))
  const text = 'The number in the caption does not match the image. Please count again.'
  await waitFor(() => expect(sent).toEqual([{ name: 'Wrong count!', text }]))
})

test('the effect says both shares, the difference with its interval, and what it is compared with', async () => {
  const share = (k: number) => ({ k, n: 30, share: k / 30, low: 0, high: 1 })
  const effect: FeedbackEffect = {
    annotator: { id: 2, name: 'Bob' },
    template,
    n_remarks: 2,
    first_at: '2026-03-01T10:00:00Z',
    last_at: '2026-03-02T10:00:00Z',
    compared_with: 'majority',
    before: share(15),
    after: share(24),
    difference: { value: 0.3, low: 0.06, high: 0.5 },
  }
  const missing: FeedbackEffect = { ...effect, template: null, after: null, difference: null }
  const { user } = openPage([], { tab: 'effect' }, [effect, missing])
  await user.click(await screen.findByText('Show as a table'))
  const [, first, second] = within(screen.getByRole('table')).getAllByRole('row')
  expect(first).toHaveTextContent('Bob')
  expect(first).toHaveTextContent('50% (15 of 30)')
  expect(first).toHaveTextContent('80% (24 of 30)')
  expect(first).toHaveTextContent('+30 points (+6 to +50)')
  expect(first).toHaveTextContent('Majority of the other annotators')
  expect(second).toHaveTextContent('Without a template')
  expect(second).toHaveTextContent('—')
})

test('without feedback the effect says what will be here', async () => {
  openPage([], { tab: 'effect' })
  expect(await screen.findByRole('heading', { name: 'No effect to show yet' })).toBeVisible()
})
