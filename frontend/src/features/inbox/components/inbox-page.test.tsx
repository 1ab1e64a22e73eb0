import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import type { Remark, RemarkAnswerIn } from '@/lib/api/served'
import { unreadQuery } from '@/lib/feedback/get-unread'
import { harbour, item } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { onPhone } from '@/testing/narrow'
import { remark, remarkRow } from '@/testing/remark-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { InboxPage } from './inbox-page'
import { InboxPanel } from './inbox-panel'

/** An inbox with these; each answer is applied as the server does it. What was sent is in the list it gives. */
function inboxOf(...remarks: Remark[]): RemarkAnswerIn[] {
  const sent: RemarkAnswerIn[] = []
  server.use(
    http.get('*/api/v1/projects/:slug/inbox', () =>
      HttpResponse.json({ next: null, previous: null, results: remarks }),
    ),
    http.post('*/api/v1/remarks/:id/answers', async ({ request, params }) => {
      const body = (await request.json()) as RemarkAnswerIn
      sent.push(body)
      const found = remarks.find(({ id }) => String(id) === params.id) ?? remark()
      const state = body.answer === 'talk' ? 'answered' : 'acknowledged'
      const awaits_reply = body.answer === 'talk'
      return HttpResponse.json({ ...found, answer: body.answer, state, awaits_reply, is_unread: false })
    }),
  )
  return sent
}

afterEach(() => vi.unstubAllGlobals())

/** On a phone, where the remarks stand one under another. */
const openInbox = () => {
  onPhone()
  return renderPage(<InboxPage project={harbour} />)
}

test('a remark stands beside the picture, the caption and what the person had said', async () => {
  inboxOf(remark())
  openInbox()
  const card = within(await screen.findByRole('listitem', { name: 'Feedback from Dora' }))
  expect(card.getByRole('img')).toHaveAttribute('src', '/media/large.webp')
  expect(card.getByText('The sea keeps its own counsel.')).toBeVisible()
  expect(card.getByText(/Your answer:/)).toHaveTextContent('Your answer: BadCorrect answer: Good')
  expect(card.getByText('New')).toBeVisible()
})

test('g says got it, once, and the remark stays where it is', async () => {
  const sent = inboxOf(remark(), remark({ id: 2, text: 'Another one.' }))
  const { user } = openInbox()
  await screen.findAllByText('New')
  await user.keyboard('g')
  const cards = screen.getAllByRole('listitem', { name: 'Feedback from Dora' })
  expect(await screen.findByText('You confirmed this.')).toBeVisible()
  await user.keyboard('g')
  expect(cards.map((card) => within(card).queryByText('New') !== null)).toEqual([false, true])
  expect(cards.map((card) => within(card).queryByRole('button', { name: /Got it/ }) !== null)).toEqual([false, true])
  expect(sent).toEqual([{ answer: 'acknowledge', text: '' }])
})

test('what the window shows is told as seen, and stays marked as new', async () => {
  const seen: unknown[] = []
  inboxOf(remark(), remark({ id: 2, is_unread: false, state: 'seen' }))
  server.use(
    http.post('*/api/v1/projects/:slug/inbox/seen', async ({ request }) => {
      seen.push(await request.json())
      return HttpResponse.json({ n_unread: 0 })
    }),
  )
  const { queryClient } = openInbox()
  await screen.findByText('New')
  await waitFor(() => expect(seen).toEqual([{ remarks: [{ id: 1, n_replies: 0 }] }]), { timeout: 3000 })
  await waitFor(() => expect(queryClient.getQueryData(unreadQuery('harbour').queryKey)).toEqual({ n_unread: 0 }))
  expect(screen.getByText('New')).toBeVisible()
})

test('a message about several answers lists each with its picture', async () => {
  const second = remarkRow({ item: item(2, { text: 'A boat waits.', label: 'good' }), label: null, label_then: 'good' })
  inboxOf(remark({ rows: [remarkRow(), second], label: null }))
  openInbox()
  const rows = within(await screen.findByRole('list', { name: 'Answers that this message is about' }))
  expect(rows.getAllByRole('listitem')).toHaveLength(2)
  expect(rows.getAllByRole('img')).toHaveLength(2)
  expect(rows.getByText('A boat waits.')).toBeVisible()
})

test('what was withdrawn says so, and nothing can be answered', async () => {
  inboxOf(remark({ state: 'withdrawn', text: '', is_unread: false, withdrawn_at: '2026-03-02T10:00:00Z' }))
  const { user } = openInbox()
  expect(await screen.findByText('Dora withdrew this feedback.')).toBeVisible()
  await user.keyboard('gar')
  expect(screen.queryByRole('button', { name: /Got it|agree|Reply/ })).not.toBeInTheDocument()
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
})

test('the answer can be changed at once, before anything is said to the feedback', async () => {
  inboxOf(remark())
  const revised: unknown[] = []
  server.use(
    http.post('*/api/v1/assignments/:id/judgments/:position', async ({ request }) => {
      revised.push(await request.json())
      const said = { label: 'good', edits: [], lens: null, comment: '', is_generic: false }
      return HttpResponse.json({ position: 1, judged_at: '2026-03-02T10:00:00Z', ...said }, { status: 201 })
    }),
  )
  const { user } = openInbox()
  await user.click(await screen.findByRole('button', { name: 'Change my answer to Good' }))
  expect((await screen.findByText(/Your answer was/)).textContent).toContain('and is now')
  expect(revised).toEqual([{ label: 'good', edits: [], lens: '', comment: '', is_generic: false }])
  expect(screen.queryByRole('button', { name: /Change my answer/ })).not.toBeInTheDocument()
})

test('a talk begins with words, and is left without them', async () => {
  const sent = inboxOf(remark())
  const { user } = openInbox()
  await user.click(await screen.findByRole('button', { name: /Reply/ }))
  expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled()
  await user.type(screen.getByRole('textbox', { name: 'Your reply' }), 'Which sea?')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText(/You replied. The head annotator can answer here/)).toBeVisible()
  expect(screen.queryByRole('button', { name: /agree/ })).not.toBeInTheDocument()
  expect(sent).toEqual([{ answer: 'talk', text: 'Which sea?' }])
})

test('what was settled says by whom and when, and offers no change', async () => {
  const rows = [remarkRow({ closed: { by: 'Dora', on: '2026-03-05', sentence: '' } })]
  inboxOf(remark({ answer: 'agree', state: 'acknowledged', is_unread: false, rows }))
  openInbox()
  expect(await screen.findByText(/Dora reviewed this answer on 5 March 2026/)).toBeVisible()
  expect(screen.queryByRole('button', { name: /Change my answer/ })).not.toBeInTheDocument()
})

test('an empty inbox says what will be in it', async () => {
  inboxOf()
  openInbox()
  expect(await screen.findByRole('heading', { name: 'No feedback yet' })).toBeVisible()
})

test('an answer that the server refuses is said and leaves the remark unread', async () => {
  inboxOf(remark())
  server.use(http.post('*/api/v1/remarks/:id/answers', () => refusal(404, 'not_found', 'There is nothing here.')))
  const { user } = openInbox()
  await user.click(await screen.findByRole('button', { name: /Got it/ }))
  expect(screen.getByText('New')).toBeVisible()
  expect(screen.getByRole('button', { name: /Got it/ })).toBeVisible()
})

test('beside the work the keys belong to the work', async () => {
  const sent = inboxOf(remark())
  const { user } = renderPage(<InboxPanel slug="harbour" onClose={() => undefined} />)
  await screen.findByText('New')
  await user.keyboard('gar')
  expect(sent).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Got it' }))
  expect(await screen.findByText('You confirmed this.')).toBeVisible()
})

test('on a wide window the keys go through the list, and the chosen remark stands beside it', async () => {
  const sent = inboxOf(remark(), remark({ id: 2, text: 'Another one.', is_unread: false }))
  const { user } = renderPage(<InboxPage project={harbour} />)
  const list = within(await screen.findByRole('list', { name: 'All feedback' }))
  expect(list.getAllByRole('button')).toHaveLength(2)
  expect(list.getAllByText('Not read yet.')).toHaveLength(1)
  const shown = () => screen.getByRole('listitem', { name: 'Feedback from Dora' })
  expect(shown()).toHaveTextContent('It is a metaphor')
  const [, second] = list.getAllByRole('button')
  if (!second) throw new Error('There is one remark only.')
  await user.click(second)
  expect(shown()).toHaveTextContent('Another one.')
  await user.keyboard('g')
  expect(await screen.findByText('You confirmed this.')).toBeVisible()
  await user.keyboard('k')
  expect(shown()).toHaveTextContent('It is a metaphor')
  expect(sent).toEqual([{ answer: 'acknowledge', text: '' }])
})

test('a link opens the remark that it is about', async () => {
  inboxOf(remark(), remark({ id: 2, text: 'Another one.' }))
  renderPage(<InboxPage project={harbour} remark={2} />)
  expect(await screen.findByRole('listitem', { name: 'Feedback from Dora' })).toHaveTextContent('Another one.')
})
