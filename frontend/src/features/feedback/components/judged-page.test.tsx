import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { Role } from '@/lib/api/contract'
import type { FeedbackTemplate, Judged, Remark } from '@/lib/api/served'
import { harbour, item } from '@/testing/data'
import { remark, remarkRow } from '@/testing/remark-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { judgedSearch, readJudgedFilter } from '../state/judged-filter'
import { JudgedPage } from './judged-page'

function judged(id: number, changes: Partial<Judged> = {}): Judged {
  const { annotator } = remark()
  const { assignment, kind, image, query } = remarkRow()
  return {
    ...{ id, annotator, assignment, kind, image, query },
    item: item(id, { text: `Caption ${id}.`, label: 'good' }),
    judged_at: '2026-03-01T10:00:00Z',
    others: { good: 0, bad: 2, unsure: 1 },
    verdict: null,
    consensus: null,
    remark: null,
    is_control: false,
    ...changes,
  }
}

const page = (results: readonly object[]) => HttpResponse.json({ next: null, previous: null, results })

const templates: FeedbackTemplate[] = [
  { id: 5, code: 'wrong_count', name: 'Wrong count', text: 'Count.', is_own: false, n_used: 0 },
  { id: 6, code: '', name: 'Boats', text: 'A ferry has two decks.', is_own: true, n_used: 2 },
]

/** The page beside an address that keeps its filter. */
function AtAddress({ role, search }: { role: Role; search: Record<string, string | number> }) {
  const [kept, keep] = useState(search)
  return (
    <JudgedPage
      project={{ ...harbour, role }}
      annotator={2}
      filter={readJudgedFilter(kept)}
      onFilter={(filter) => keep(judgedSearch(filter))}
    />
  )
}

/** The page with these judgments and remarks; the addresses that were asked for are in the list it gives. */
function openPage(rows: Judged[], written: Remark[] = [], role: Role = 'head_annotator', search = {}) {
  const asked: URL[] = []
  server.use(
    http.get('*/api/v1/projects/:slug/annotators/:id/judgments', ({ request }) => {
      asked.push(new URL(request.url))
      return page(rows)
    }),
    http.get('*/api/v1/projects/:slug/remarks', () => page(written)),
    http.get('*/api/v1/projects/:slug/feedback/templates', () => HttpResponse.json(templates)),
  )
  return { ...renderPage(<AtAddress role={role} search={search} />), asked }
}

test('each judgment stands beside the votes of the others', async () => {
  openPage([judged(1), judged(2, { others: { good: 0, bad: 0, unsure: 0 } })])
  expect(await screen.findByText('Others: 2 Bad, 1 Unsure')).toBeVisible()
  expect(screen.getByText('No other answers yet')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Answers of Bob' })).toBeVisible()
})

test('the address narrows the list to answers that most others did not give', async () => {
  const { asked } = openPage([judged(1)], [], 'head_annotator', { outvoted: 1, label: 'bad' })
  expect(await screen.findByRole('checkbox', { name: 'Most others answered differently' })).toBeChecked()
  const [first] = asked.map(({ searchParams }) => searchParams).filter((each) => each.has('is_disagreeing'))
  expect([first?.get('is_disagreeing'), first?.get('label')]).toEqual(['true', 'bad'])
})

/** What the server is sent at an address from now on. */
function sentTo(path: string, n_sent = 1): unknown[] {
  const sent: unknown[] = []
  server.use(
    http.post(`*/api/v1/projects/:slug/${path}`, async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ ...remark(), n_sent }, { status: 201 })
    }),
  )
  return sent
}

const plain = { template: null, is_for_all: false, is_example: false }

test('w opens the form under the answer, and a remark goes to it with the label that is correct', async () => {
  const sent = sentTo('remarks')
  const { user } = openPage([judged(7)])
  await screen.findByText('Caption 7.')
  await user.keyboard('w')
  const form = within(screen.getByRole('form', { name: 'Feedback to Bob about this answer' }))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(screen.getByRole('listitem')).toContainElement(form.getByRole('textbox'))
  expect(form.getByRole('button', { name: 'Send feedback' })).toBeDisabled()
  await user.type(form.getByRole('textbox'), 'Look again.')
  await user.click(form.getByRole('button', { name: 'Bad' }))
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(sent).toEqual([{ judgment: 7, text: 'Look again.', label: 'bad', ...plain }]))
  await waitFor(() => expect(screen.queryByRole('form')).not.toBeInTheDocument())
})

test('a template writes its words, and keeps words that are there already', async () => {
  const sent = sentTo('remarks')
  const { user } = openPage([judged(8)])
  await user.click(await screen.findByRole('button', { name: /Write feedback/ }))
  const box = screen.getByRole('textbox')
  await user.click(await screen.findByRole('button', { name: 'Wrong count' }))
  expect(box).toHaveValue('The number in the caption does not match the image. Please count again.')
  await user.click(screen.getByRole('button', { name: 'Boats' }))
  expect(box).toHaveValue('A ferry has two decks.')
  await user.type(box, ' See?')
  await user.click(screen.getByRole('button', { name: 'Wrong count' }))
  expect(box).toHaveValue('A ferry has two decks. See?')
  await user.click(screen.getByRole('button', { name: 'Send feedback' }))
  await waitFor(() =>
    expect(sent).toEqual([{ judgment: 8, text: 'A ferry has two decks. See?', label: null, ...plain, template: 5 }]),
  )
})

test('a draft that was closed is there again', async () => {
  const { user } = openPage([judged(9)])
  await screen.findByText('Caption 9.')
  await user.keyboard('w')
  await user.type(screen.getByRole('textbox'), 'Not finished')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('form')).not.toBeInTheDocument()
  expect(screen.getByText('Caption 9.')).toBeVisible()
  await user.keyboard('w')
  expect(screen.getByRole('textbox')).toHaveValue('Not finished')
})

test('the same words are offered to all who answered so', async () => {
  const sent = sentTo('remarks', 3)
  const { user } = openPage([judged(10, { others: { good: 2, bad: 0, unsure: 0 } })])
  await user.click(await screen.findByRole('button', { name: /Write feedback/ }))
  await user.type(screen.getByRole('textbox'), 'Look again.')
  await user.click(screen.getByRole('checkbox', { name: 'Send to all 3 people who answered “Good”' }))
  await user.click(screen.getByRole('button', { name: 'Send feedback' }))
  await waitFor(() =>
    expect(sent).toEqual([{ judgment: 10, text: 'Look again.', label: null, ...plain, is_for_all: true }]),
  )
})

test('only a curator makes an example of the pair, with the correct answer', async () => {
  const asHead = openPage([judged(12)])
  await asHead.user.click(await screen.findByRole('button', { name: /Write feedback/ }))
  expect(screen.queryByRole('checkbox', { name: /guidelines/ })).not.toBeInTheDocument()
  asHead.unmount()
  const { user } = openPage([judged(12)], [], 'curator')
  await user.click(await screen.findByRole('button', { name: /Write feedback/ }))
  await user.type(screen.getByRole('textbox'), 'Look again.')
  await user.click(screen.getByRole('checkbox', { name: /guidelines/ }))
  expect(screen.getByRole('button', { name: 'Send feedback' })).toBeDisabled()
  await user.click(screen.getByRole('button', { name: 'Bad' }))
  expect(screen.getByRole('button', { name: 'Send feedback' })).toBeEnabled()
})

test('ticked answers get one message, and no control can be ticked', async () => {
  const sent = sentTo('feedback/batches')
  const { user } = openPage([judged(1), judged(2, { is_control: true }), judged(3)])
  const ticks = await screen.findAllByRole('checkbox', { name: 'Select' })
  expect(ticks).toHaveLength(2)
  for (const tick of [...ticks].reverse()) await user.click(tick)
  expect(screen.getByText('2 answers selected')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Write one message' }))
  const form = within(screen.getByRole('form', { name: 'One message to Bob about 2 answers' }))
  await user.type(form.getByRole('textbox'), 'Look again.')
  await user.click(form.getByRole('button', { name: 'Send feedback' }))
  const body = { annotator: 2, judgments: [3, 1], last: 0, text: 'Look again.', template: null }
  await waitFor(() => expect(sent).toEqual([body]))
  await waitFor(() => expect(screen.queryByRole('form')).not.toBeInTheDocument())
})

test('of the last answers the server chooses which it lists', async () => {
  const sent = sentTo('feedback/batches')
  const { user } = openPage([judged(1), judged(2, { is_control: true })])
  await screen.findByText('Caption 1.')
  await user.keyboard('l')
  await user.click(screen.getByRole('button', { name: 'Write one message' }))
  expect(screen.getByText(/So nobody can recognize the test questions/)).toBeVisible()
  await user.type(screen.getByRole('textbox'), 'Look again.')
  await user.click(screen.getByRole('button', { name: 'Send feedback' }))
  const body = { annotator: 2, judgments: [], last: 20, text: 'Look again.', template: null }
  await waitFor(() => expect(sent).toEqual([body]))
})

test('consensus and decision stand beside the answer', async () => {
  openPage([judged(1, { consensus: 'bad', verdict: 'unsure' })])
  expect(await screen.findByText(/Consensus:/)).toHaveTextContent('Consensus: BadDecision: Unsure')
})

test('a control says why it takes no remark', async () => {
  const { user } = openPage([judged(1, { is_control: true })])
  expect(await screen.findByText('This is a test question. Feedback would reveal it.')).toBeVisible()
  expect(screen.queryByText(/No other answers|Others/)).not.toBeInTheDocument()
  await user.keyboard('wx')
  expect(screen.queryByRole('form')).not.toBeInTheDocument()
})

test('the list is narrowed to what most others see in another way', async () => {
  const { user, asked } = openPage([judged(1)])
  await user.click(await screen.findByRole('checkbox', { name: 'Most others answered differently' }))
  await screen.findByText('Caption 1.')
  expect(asked.at(-1)?.searchParams.get('is_disagreeing')).toBe('true')
})
