import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Judged, Remark } from '@/lib/api/served'
import { harbour, item } from '@/testing/data'
import { remark } from '@/testing/remark-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { JudgedPage } from './judged-page'

function judged(id: number, changes: Partial<Judged> = {}): Judged {
  const { annotator, assignment, kind, image, query } = remark()
  return {
    ...{ id, annotator, assignment, kind, image, query },
    item: item(id, { text: `Caption ${id}.`, label: 'good' }),
    judged_at: '2026-03-01T10:00:00Z',
    others: { good: 0, bad: 2, unsure: 1 },
    remark: null,
    is_control: false,
    ...changes,
  }
}

const page = (results: readonly object[]) => HttpResponse.json({ next: null, previous: null, results })

/** The page with these judgments and remarks; the addresses that were asked for are in the list it gives. */
function openPage(rows: Judged[], written: Remark[] = []) {
  const asked: URL[] = []
  server.use(
    http.get('*/api/v1/projects/:slug/annotators/:id/judgments', ({ request }) => {
      asked.push(new URL(request.url))
      return page(rows)
    }),
    http.get('*/api/v1/projects/:slug/remarks', () => page(written)),
  )
  return { ...renderPage(<JudgedPage project={{ ...harbour, role: 'head_annotator' }} annotator={2} />), asked }
}

test('each judgment stands beside the votes of the others', async () => {
  openPage([judged(1), judged(2, { others: { good: 0, bad: 0, unsure: 0 } })])
  expect(await screen.findByText('Others: 2 Bad, 1 Unsure')).toBeVisible()
  expect(screen.getByText('No other answers yet')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Answers of Bob' })).toBeVisible()
})

test('a remark goes to the judgment it was written on, with the label that would be right', async () => {
  const sent: unknown[] = []
  const { user } = openPage([judged(7)])
  server.use(
    http.post('*/api/v1/projects/:slug/remarks', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(remark(), { status: 201 })
    }),
  )
  await screen.findByText('Caption 7.')
  await user.keyboard('w')
  const dialog = within(screen.getByRole('dialog', { name: 'Write feedback' }))
  expect(dialog.getByRole('button', { name: 'Send feedback' })).toBeDisabled()
  await user.type(dialog.getByRole('textbox'), 'Look again.')
  await user.click(dialog.getByRole('button', { name: 'Send feedback' }))
  expect(sent).toEqual([{ judgment: 7, text: 'Look again.', label: null }])
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('a control says why it takes no remark', async () => {
  const { user } = openPage([judged(1, { is_control: true })])
  expect(await screen.findByText('This is a test question. Feedback would reveal it.')).toBeVisible()
  expect(screen.queryByText(/No other answers|Others/)).not.toBeInTheDocument()
  await user.keyboard('w')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('the list is narrowed to what most others see in another way', async () => {
  const { user, asked } = openPage([judged(1)])
  await user.click(await screen.findByRole('checkbox', { name: 'Most others answered differently' }))
  await screen.findByText('Caption 1.')
  expect(asked.at(-1)?.searchParams.get('is_disagreeing')).toBe('true')
})

test('the remarks say who has not read them and who waits for a word', async () => {
  const talk = remark({ id: 2, answer: 'talk', is_unread: false, awaits_reply: true })
  const { user } = openPage([judged(1)], [remark(), talk])
  await user.click(await screen.findByRole('tab', { name: 'Feedback' }))
  expect(await screen.findByText('Wants to discuss')).toBeVisible()
  const rows = screen.getAllByRole('listitem')
  expect(rows[0]).toHaveTextContent('Not read yet')
  expect(rows[1]).toHaveTextContent('Needs your reply')
  expect(within(screen.getByRole('tabpanel')).getAllByRole('button', { name: 'Reply' })).toHaveLength(1)
})
