import { act, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { accepted, answerSubmitsWith } from '@/testing/annotating'
import { harbour } from '@/testing/data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import type { ServedDraft } from '../api/draft'
import { AnnotatePage } from './annotate-page'

const answer = { edits: [], lens: '' as const, comment: '', is_generic: false, ms: null, at: null }
const served = (saved_at: string): ServedDraft => ({
  work: { items: [{ position: 1, answer: { ...answer, label: 'bad' }, unfinished: null }], current: 1 },
  saved_at,
})

async function openPage() {
  const view = renderPage(<AnnotatePage project={harbour} />)
  await screen.findByText('The sea keeps its own counsel.')
  return view
}

function serve(draft: ServedDraft | null): ServedDraft[] {
  const kept: ServedDraft[] = []
  server.use(
    http.get('*/api/v1/assignments/:id/draft', () => HttpResponse.json({ draft })),
    http.put('*/api/v1/assignments/:id/draft', async ({ request }) => {
      kept.push((await request.json()) as ServedDraft)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return kept
}

function leave(): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

const judged = () => screen.getByRole('progressbar', { name: 'Captions judged' }).getAttribute('aria-valuenow')

test('work goes on where another machine left it', async () => {
  serve(served(new Date().toISOString()))
  await openPage()
  expect(judged()).toBe('1')
  expect(screen.getByRole('button', { name: 'Bad: The sea keeps its own counsel.' })).toBeVisible()
})

test('what is newer on this device stands', async () => {
  const first = await openPage()
  await first.user.keyboard('gg')
  first.unmount()
  serve(served('2026-01-01T10:00:00Z'))
  await openPage()
  expect(judged()).toBe('2')
})

test('leaving the page sends the newest work at once, in one piece', async () => {
  const kept = serve(null)
  const { user } = await openPage()
  await user.keyboard('gb')
  leave()
  await waitFor(() => expect(kept).toHaveLength(1))
  expect(kept[0]?.work.items.map(({ position, answer }) => [position, answer?.label])).toEqual([
    [1, 'good'],
    [2, 'bad'],
  ])
  leave()
  expect(kept).toHaveLength(1)
})

test('what was undone is gone at the server as well', async () => {
  const kept = serve(null)
  const { user } = await openPage()
  await user.keyboard('gz')
  leave()
  await waitFor(() => expect(kept[0]?.work.items).toEqual([]))
})

test('what is submitted is no draft any more', async () => {
  const kept = serve(null)
  answerSubmitsWith(() => accepted())
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}')
  await screen.findByText('Rain, later.')
  leave()
  expect(kept).toEqual([])
})

test('a server that keeps nothing does not keep the work from being shown', async () => {
  server.use(http.get('*/api/v1/assignments/:id/draft', () => HttpResponse.error()))
  await openPage()
  expect(judged()).toBe('0')
})
