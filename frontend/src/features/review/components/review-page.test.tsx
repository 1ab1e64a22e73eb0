import { screen, waitFor, within } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { toastStore } from '@/components/ui/toast-store'
import { harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { answer, pageCase, pair, pairCase, type TestCase } from '@/testing/review-data'
import { server } from '@/testing/server'
import type { ReviewSearch } from '../state/search'
import { ReviewPage } from './review-page'

const base = '*/api/v1/projects/:slug/review'

interface Sent {
  id: number
  body: Record<string, unknown>
}

let sent: Sent[]
let undone: unknown[]

beforeEach(() => {
  sent = []
  undone = []
})

/** The server with these cases in its queue; what is decided there leaves it. */
function open(...waiting: TestCase[]) {
  const find = (id: unknown) => waiting.find((each) => each.id === Number(id))
  const left = () => waiting.filter(({ id }) => undone.length > 0 || !sent.some((each) => each.id === id))
  const shown = (id: unknown) => {
    const found = find(id)
    return found ? HttpResponse.json(found) : refusal(404, 'not_found', 'There is no such case.')
  }
  server.use(
    http.get(`${base}/cases`, () => HttpResponse.json({ next: null, previous: null, results: left() })),
    http.get(`${base}/counts`, () =>
      HttpResponse.json({
        open: left().length,
        mine: 0,
        by_reason: { sample: left().length },
        disputes: 0,
        replies: 0,
        waiting_at_gate: 0,
      }),
    ),
    http.get(`${base}/cases/:id`, ({ params }) => shown(params.id)),
    http.post(`${base}/cases/:id/lease`, ({ params }) => shown(params.id)),
    http.delete(`${base}/cases/:id/lease`, () => new HttpResponse(null, { status: 204 })),
    http.post(`${base}/cases/:id/decisions`, async ({ params, request }) => {
      const body = (await request.json()) as Record<string, unknown>
      sent.push({ id: Number(params.id), body })
      const until = '2026-03-01T10:10:00Z'
      return HttpResponse.json({
        case: { ...find(params.id), state: 'done' },
        undo: { token: `t${String(params.id)}`, until },
      })
    }),
    http.post(`${base}/undo`, async ({ request }) => {
      undone.push(await request.json())
      return HttpResponse.json(waiting[0])
    }),
    http.get('*/api/v1/projects/:slug/annotators', () =>
      HttpResponse.json({ next: null, previous: null, results: [] }),
    ),
    http.get('*/api/v1/projects/:slug/feedback/templates', () =>
      HttpResponse.json([{ id: 4, code: '', name: 'Wrong count', text: 'Count again.', is_own: true, n_used: 0 }]),
    ),
  )
  return renderPage(<AtAddress />)
}

/** The page with an address of its own. */
function AtAddress() {
  const [search, setSearch] = useState<ReviewSearch>({})
  return <ReviewPage project={{ ...harbour, role: 'head_annotator' }} typed={{ ...search }} onSearch={setSearch} />
}

const rows = () => within(screen.getByRole('list', { name: 'Cases' })).queryAllByRole('button')
const current = () => rows().find((row) => row.getAttribute('aria-current'))?.textContent ?? ''
const answers = () => screen.findByRole('list', { name: 'Answers' })
const toasts = () => toastStore.snapshot().map(({ text }) => text)

test('one key decides with the majority, the next case is there, and the counts fall', async () => {
  const { user } = open(pairCase(1), pairCase(2), pairCase(3))
  await answers()
  expect(current()).toContain('Caption 1')
  await user.keyboard('g')
  expect(current()).toContain('Caption 2')
  expect(rows()).toHaveLength(2)
  expect(screen.getByRole('button', { name: 'All 2' })).toBeVisible()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ id: 1, body: { action: 'settle', items: [{ candidate: 1, label: 'good' }] } })
})

test('a correction asks why: a digit gives the reason, and how sure the head is goes with it', async () => {
  const { user } = open(pairCase(1), pairCase(2))
  await answers()
  await user.keyboard('b')
  expect(sent).toEqual([])
  expect(screen.getByRole('region', { name: 'Bad: why?' })).toBeVisible()
  await user.keyboard('{ArrowLeft}2')
  await waitFor(() => expect(sent).toHaveLength(1))
  const [item] = sent[0]?.body.items as object[]
  expect(item).toMatchObject({ candidate: 1, label: 'bad', reason: 'wrong_count', confidence: 2 })
  expect(current()).toContain('Caption 2')
})

test('the same key again decides without a reason, Esc takes the question away', async () => {
  const { user } = open(pairCase(1), pairCase(2))
  await answers()
  await user.keyboard('u{Escape}')
  expect(screen.queryByRole('region', { name: 'Unsure: why?' })).not.toBeInTheDocument()
  await user.keyboard('bb')
  await waitFor(() => expect(sent).toHaveLength(1))
  expect((sent[0]?.body.items as { reason: string }[])[0]?.reason).toBe('')
})

test('on a tie nothing is corrected: one key decides', async () => {
  const tied = pair(1, { answers: [answer(1, 'good'), answer(2, 'bad')], majority: null })
  const { user } = open(pairCase(1, { pairs: [tied] }), pairCase(2))
  await answers()
  expect(screen.getByText('Tied')).toBeVisible()
  await user.keyboard('a')
  expect(sent).toEqual([])
  await user.keyboard('b')
  await waitFor(() => expect(sent).toHaveLength(1))
})

test('names are hidden until somebody asks, and again with the next case', async () => {
  const { user } = open(pairCase(1), pairCase(2))
  const list = await answers()
  expect(list).toHaveTextContent('Person A')
  expect(list).not.toHaveTextContent('Ana')
  await user.keyboard('h')
  expect(list).toHaveTextContent('Ana')
  await user.keyboard('n')
  expect(await answers()).not.toHaveTextContent('Ana')
})

test('what the server refuses comes back with the reason', async () => {
  const { user } = open(pairCase(1), pairCase(2))
  await answers()
  server.use(
    http.post(`${base}/cases/1/decisions`, async () => {
      await delay(50)
      return refusal(409, 'case_held', 'Eva works on this case. Choose another case.')
    }),
  )
  await user.keyboard('g')
  expect(rows()).toHaveLength(1)
  await waitFor(() => expect(rows()).toHaveLength(2))
  expect(screen.getByRole('button', { name: 'All 2' })).toBeVisible()
  expect(toasts().at(-1)).toMatch(/back in the queue. Eva works on this case/)
})

test('a case that somebody else decided first does not come back', async () => {
  const { user } = open(pairCase(1), pairCase(2))
  await answers()
  server.use(http.post(`${base}/cases/1/decisions`, () => refusal(409, 'already_closed', 'It is closed.')))
  await user.keyboard('g')
  await waitFor(() => expect(toasts().at(-1)).toMatch(/Somebody else decided this case first/))
  expect(rows()).toHaveLength(1)
})

test('Z takes the last decision back and opens its case', async () => {
  const { user } = open(pairCase(1), pairCase(2))
  await answers()
  await user.keyboard('a')
  expect(await screen.findByText('Accepted the majority: Good')).toBeVisible()
  await user.keyboard('z')
  await waitFor(() => expect(undone).toEqual([{ token: 't1' }]))
  expect(current()).toContain('Caption 1')
  expect(rows()).toHaveLength(2)
})

test('a key right behind Z decides the case again, once the server has taken the decision back', async () => {
  const { user } = open(pairCase(1), pairCase(2))
  await answers()
  const order: string[] = []
  const closed = () => HttpResponse.json(pairCase(1, { state: 'done' }))
  server.use(
    http.get(`${base}/cases/1`, closed),
    http.post(`${base}/cases/1/lease`, () => refusal(409, 'already_closed', 'It is closed.')),
    http.post(`${base}/cases/:id/decisions`, async ({ params, request }) => {
      const { action } = (await request.json()) as { action: string }
      await delay(30)
      order.push(`${action} ${String(params.id)}`)
      return HttpResponse.json({ case: pairCase(1), undo: { token: 't1', until: '2026-03-01T10:10:00Z' } })
    }),
    http.post(`${base}/undo`, async () => {
      await delay(30)
      order.push('undo')
      return HttpResponse.json(pairCase(1))
    }),
  )
  await user.keyboard('azg')
  expect(current()).toContain('Caption 2')
  await waitFor(() => expect(order).toEqual(['accept_majority 1', 'undo', 'settle 1']))
  expect(rows()).toHaveLength(1)
  expect(toasts().at(-1)).toBe('The decision is undone.')
})

test('a case that another head annotator holds can be read and not decided', async () => {
  server.resetHandlers()
  const { user } = open(pairCase(1), pairCase(2))
  server.use(http.post(`${base}/cases/1/lease`, () => refusal(409, 'case_held', 'Eva works on this case.')))
  await user.keyboard('k')
  expect(await screen.findByText('Eva works on this case.')).toBeVisible()
  await user.keyboard('g')
  expect(sent).toEqual([])
  expect(current()).toContain('Caption 1')
})

test('an answer goes back with words, a digit takes a ready-made text, and the image stays in sight', async () => {
  const { user } = open(pairCase(1), pairCase(2))
  await answers()
  await user.keyboard('r')
  const field = await screen.findByRole('textbox', { name: 'Your feedback' })
  await screen.findByRole('button', { name: 'Wrong count' })
  await user.keyboard('1')
  expect(field).toHaveValue('Count again.')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(screen.getByRole('img', { name: 'The image of this case' })).toBeVisible()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toMatchObject({ action: 'rework', annotators: [3], text: 'Count again.', template: 4 })
})

test('a task is looked through pair by pair and accepted with its corrections', async () => {
  const { user } = open(pageCase(1), pairCase(2))
  await answers()
  await user.keyboard('g')
  await user.keyboard('b1')
  await user.keyboard('a')
  expect(screen.getByText('You checked all captions. Accept the task or return it.')).toBeVisible()
  expect(sent).toEqual([])
  await user.keyboard('{Shift>}A{/Shift}')
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toMatchObject({
    action: 'accept_with_corrections',
    items: [{ candidate: 12, label: 'bad', reason: 'wrong_object', confidence: 3 }],
  })
  expect(current()).toContain('Caption 2')
})

test('more answers are asked for with two keys', async () => {
  const { user } = open(pairCase(1), pairCase(2))
  await answers()
  await user.keyboard('d3')
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ action: 'ask_more', k: 3 }))
})

test('more answers to one caption of a task are asked for, and the task stays open', async () => {
  const { user } = open(pageCase(1), pairCase(2))
  await answers()
  const before = current()
  await user.keyboard('d2')
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toMatchObject({ action: 'ask_more', k: 2, items: [{ candidate: 11 }] })
  expect(current()).toBe(before)
})

test('the caption is decided good with an edit of the same editor as annotators have', async () => {
  const { user } = open(pairCase(1), pairCase(2))
  await answers()
  await user.keyboard('e')
  const field = await screen.findByRole('textbox', { name: 'Caption' })
  await user.clear(field)
  await user.type(field, 'Caption one{Enter}')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(sent).toHaveLength(1))
  const [item] = sent[0]?.body.items as { label: string; text_edit: { edits: object[] } }[]
  expect(item?.label).toBe('good')
  expect(item?.text_edit.edits).toMatchObject([{ before: '1', after: 'one' }])
})

test('an empty queue says what will come', async () => {
  open()
  expect(await screen.findByRole('heading', { name: 'Nothing to review' })).toBeVisible()
})
