import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Export } from '@/lib/api/served'
import { alice, curated } from '@/testing/catalogue-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { ExportsPage } from './exports-page'

const made = (changes: Partial<Export> = {}): Export => ({
  id: 'e1',
  project: 'harbour',
  what: 'judgments',
  format: 'csv',
  release: null,
  release_version: null,
  filter: {},
  leave_out: ['times'],
  state: 'ready',
  done: 1,
  total: 1,
  n_rows: 1,
  n_bytes: 2048,
  sha256: 'a'.repeat(64),
  file_name: 'Harbour judgments csv.csv',
  url: '/api/v1/exports/e1/file',
  error: null,
  cancel_requested: false,
  created_by: 'Alice',
  created_at: '2026-01-05T10:00:00Z',
  started_at: null,
  finished_at: null,
  expires_at: '2026-01-12T10:00:00Z',
  ...changes,
})
const place = '*/api/v1/projects/:slug/exports'
const page = (rows: unknown[]) => HttpResponse.json({ next: null, previous: null, results: rows })

function show(rows: Export[], releases: unknown[] = []) {
  server.use(
    http.get(place, () => page(rows)),
    http.get('*/api/v1/projects/:slug/releases', () => page(releases)),
  )
  return renderPage(<ExportsPage project={curated} />, alice)
}

test('a ready export has its file, and one that failed says why in one sentence', async () => {
  const error = { code: 'disk_full', message: 'A disk of the server is full.', params: {} }
  show([made(), made({ id: 'e2', state: 'failed', url: null, error, what: 'release', release_version: '1.0.0' })])
  const link = await screen.findByRole('link', { name: 'Harbour judgments csv.csv' })
  expect(link).toHaveAttribute('href', '/api/v1/exports/e1/file')
  expect(screen.getByText('1 row', { exact: false })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Release 1.0.0, CSV' })).toBeVisible()
  expect(screen.getByText('A disk of the server is full.', { exact: false })).toBeVisible()
})

test('what is chosen is asked for, and formats follow the content', async () => {
  let sent: unknown
  server.use(
    http.post(place, async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json(made({ state: 'queued', url: null }), { status: 202 })
    }),
  )
  const { user } = show([], [{ id: 'r1', label: '1.2.0' }])
  await user.click(await screen.findByRole('button', { name: 'New export' }))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByLabelText('Times of the answers')).toBeChecked()
  await user.click(dialog.getByRole('button', { name: /Content/ }))
  await user.click(await screen.findByRole('option', { name: 'Release' }))
  expect(dialog.queryByLabelText('Times of the answers')).not.toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: /Difficulty/ }))
  await user.click(await screen.findByRole('option', { name: 'Hard' }))
  await user.click(dialog.getByRole('button', { name: 'Start the export' }))
  await waitFor(() =>
    expect(sent).toEqual({ what: 'release', format: 'csv', filter: { difficulty: 'hard' }, release: 'r1' }),
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

test('an export under way shows its progress and can be cancelled', async () => {
  let cancelled = false
  server.use(
    http.post('*/api/v1/exports/:id/cancel', () => {
      cancelled = true
      return HttpResponse.json(made({ state: 'cancelled', url: null }))
    }),
  )
  const { user } = show([made({ state: 'running', url: null, done: 5, total: 10 })])
  expect(await screen.findByRole('progressbar')).toHaveAttribute('aria-valuenow', '5')
  await user.click(screen.getByRole('button', { name: 'Cancel the export' }))
  await waitFor(() => expect(cancelled).toBe(true))
})
