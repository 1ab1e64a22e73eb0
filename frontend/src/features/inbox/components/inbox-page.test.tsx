import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Remark, RemarkAnswerIn } from '@/lib/api/served'
import { harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { remark } from '@/testing/remark-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { InboxDrawer } from './inbox-drawer'
import { InboxPage } from './inbox-page'

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
      return HttpResponse.json({ ...found, answer: body.answer, is_unread: false })
    }),
  )
  return sent
}

const openInbox = () => renderPage(<InboxPage project={harbour} />)

test('a remark stands beside the picture, the caption and what the person had said', async () => {
  inboxOf(remark())
  openInbox()
  const card = within(await screen.findByRole('listitem', { name: 'Feedback from Dora' }))
  expect(card.getByRole('img')).toHaveAttribute('src', '/media/small.webp')
  expect(card.getByText('The sea keeps its own counsel.')).toBeVisible()
  expect(card.getByText('Your answer:').textContent).toContain('Bad')
  expect(card.getByText('Correct answer:').textContent).toContain('Good')
  expect(card.getByText('New')).toBeVisible()
})

test('s says seen, and the remark stays where it is', async () => {
  const sent = inboxOf(remark(), remark({ id: 2, text: 'Another one.' }))
  const { user } = openInbox()
  await screen.findAllByText('New')
  await user.keyboard('s')
  const cards = screen.getAllByRole('listitem', { name: 'Feedback from Dora' })
  expect(await screen.findByRole('button', { name: /Seen/, pressed: true })).toBeVisible()
  expect(cards.map((card) => within(card).queryByText('New') !== null)).toEqual([false, true])
  expect(sent).toEqual([{ answer: 'seen', text: '' }])
})

test('who agrees is offered to change the answer at once', async () => {
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
  await user.click(await screen.findByRole('button', { name: /I agree/ }))
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
  expect(await screen.findByRole('button', { name: /Reply/, pressed: true })).toBeVisible()
  expect(sent).toEqual([{ answer: 'talk', text: 'Which sea?' }])
})

test('what was settled says by whom and when, and offers no change', async () => {
  inboxOf(remark({ answer: 'agree', is_unread: false, closed: { by: 'Dora', on: '2026-03-05', sentence: '' } }))
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
  await user.click(await screen.findByRole('button', { name: /Seen/ }))
  expect(screen.getByText('New')).toBeVisible()
  expect(screen.getByRole('button', { name: /Seen/ })).toHaveAttribute('aria-pressed', 'false')
})

test('beside the work the keys belong to the work', async () => {
  const sent = inboxOf(remark())
  const { user } = renderPage(<InboxDrawer slug="harbour" onClose={() => undefined} />)
  await screen.findByText('New')
  await user.keyboard('sat')
  expect(sent).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Seen' }))
  expect(await screen.findByRole('button', { name: 'Seen', pressed: true })).toBeVisible()
})
