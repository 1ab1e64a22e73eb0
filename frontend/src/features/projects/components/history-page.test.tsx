import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { alice } from '@/testing/catalogue-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import type { HistoryKind } from '../api/get-history'
import { HistoryPage } from './history-page'

const person = (username: string, id: number) => ({ id, username, display_name: username })
const entry = { created_at: '2026-01-05T10:00:00Z', actor: person('alice', 1), subject: null, is_short: false }
const strict = { collector: 'control_failures', action: 'exclude', condition: {} }
const lenient = { collector: 'haste', action: 'warn', condition: {} }
const long = 'Look well.'.repeat(40)

const entries = [
  {
    ...entry,
    id: 5,
    kind: 'rules',
    action: 'rules_applied',
    before: { version: 1, rules: [strict] },
    after: { version: 2, rules: [lenient], n_annotators_changed: 3 },
  },
  {
    ...entry,
    id: 4,
    kind: 'annotators',
    action: 'annotator_decided',
    subject: person('bob', 2),
    before: { state: 'active' },
    after: { state: 'paused', decided: 'paused' },
  },
  {
    ...entry,
    id: 3,
    kind: 'guidelines',
    action: 'guidelines_changed',
    before: { guidelines: '' },
    after: { guidelines: `${long.slice(0, 300)}…` },
    is_short: true,
  },
  {
    ...entry,
    id: 2,
    kind: 'controls',
    action: 'control_changed',
    actor: null,
    before: { image: 'pier.jpg', state: 'active' },
    after: { image: 'pier.jpg', state: 'quarantined' },
  },
  {
    ...entry,
    id: 1,
    kind: 'settings',
    action: 'settings_changed',
    before: { overlap: 3, confidence: null, control_rate: 0.1 },
    after: { overlap: 5, confidence: 0.9, control_rate: 0.2 },
  },
]

const asked: string[] = []

function open() {
  asked.length = 0
  server.use(
    http.get('*/api/v1/projects/:slug/history', ({ request }) => {
      const kind = new URL(request.url).searchParams.get('kind')
      asked.push(kind ?? 'all')
      const results = entries.filter((each) => !kind || each.kind === kind)
      return HttpResponse.json({ next: null, previous: null, results })
    }),
    http.get('*/api/v1/projects/:slug/history/3', () =>
      HttpResponse.json({ ...entries[2], after: { guidelines: long }, is_short: false }),
    ),
  )
  return renderPage(<Kept />, alice)
}

/** The page with the kind that the address keeps. */
function Kept() {
  const [kind, setKind] = useState<HistoryKind | null>(null)
  return <HistoryPage slug="harbour" ruleInWords={({ collector }) => `If ${collector}.`} kind={kind} onKind={setKind} />
}

test('each row says the change, its author, and the values before and after', async () => {
  open()
  const rows = (await screen.findAllByRole('row')).slice(1).map((row) => row.textContent)
  expect(rows[0]).toContain('Rules applied')
  expect(rows[0]).toContain('Version: 1 → 2')
  expect(rows[0]).toContain('Rule removed: If control_failures.')
  expect(rows[0]).toContain('Rule added: If haste.')
  expect(rows[0]).toContain('Annotators with a new status: 3')
  expect(rows[1]).toContain('Status of an annotator changed by hand: bob')
  expect(rows[1]).toContain('Status: Active → Paused')
  expect(rows[2]).toContain('Guidelines: empty → Look well.')
  expect(rows[3]).toContain('Connote')
  expect(rows[3]).toContain('Image: pier.jpg')
  expect(rows[3]).toContain('Status: Active → Marked as wrong')
  expect(rows[4]).toContain('Answers per caption: 3 → 5')
  expect(rows[4]).toContain('Required certainty, in percent: empty → 90')
  expect(screen.getByRole('link', { name: 'bob' })).toHaveAttribute('href', '/projects/harbour/quality/annotators/2')
})

test('a long text is shown in full on request', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Show the full text' }))
  expect(await screen.findByText(long)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Show the full text' })).toBeNull()
})

test('one kind of change is listed and downloaded alone', async () => {
  const { user } = open()
  await screen.findAllByRole('row')
  await user.click(screen.getByRole('button', { name: /^Kind of change/ }))
  await user.click(await screen.findByRole('option', { name: 'Quality rules' }))
  await waitFor(() => expect(asked.at(-1)).toBe('rules'))
  await waitFor(() => expect(within(screen.getByRole('grid')).getAllByRole('row')).toHaveLength(2))
  expect(screen.getByRole('link', { name: 'Download as CSV' })).toHaveAttribute(
    'href',
    '/api/v1/projects/harbour/history?format=csv&kind=rules',
  )
  await user.click(screen.getByRole('button', { name: /^Kind of change/ }))
  await user.click(await screen.findByRole('option', { name: 'Quiz' }))
  expect(await screen.findByText('No change of this kind yet.')).toBeInTheDocument()
})
