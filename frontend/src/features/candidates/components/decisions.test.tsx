import { focusManager, onlineManager } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { Suspect } from '@/lib/api/served'
import { candidate, dropped, summary } from '@/testing/candidate-data'
import { alice, curated, image } from '@/testing/catalogue-data'
import { suspect } from '@/testing/corpora-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { LeakagePage } from './leakage-page'
import { PoolPage } from './pool-page'

/** What is answered only when it is let go. */
function held() {
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  return { gate, release: () => release() }
}

const sentence = 'Your role does not allow it any more.'
const decided = { decided_by: 'Alice', created_at: '2026-01-05T11:00:00Z' }
const page = <Row,>(results: Row[], cursor?: string) => ({
  next: cursor ? `http://localhost/?cursor=${cursor}` : null,
  previous: null,
  results,
})

interface Wait {
  /** What the first decision waits for, and whether it is refused then. */
  first?: Promise<void>
  isRefused?: boolean
  /** What the second page of the list waits for. */
  second?: Promise<void>
}

beforeEach(() => {
  server.use(
    http.get('*/projects/:slug/suspects/counts', () => HttpResponse.json({ open: 3, kept_out: 0, allowed: 0, open_by_cosine: [{ cosine: 0.991, n: 3 }] })),
    http.get('*/api/v1/projects/:slug/images/:id', () => HttpResponse.json(image(2))),
    http.get('*/images/2/pool', () => refusal(404, 'no_pool', 'Nothing was retrieved for this image yet.')),
    http.get('*/images/2/candidates/summary', () => HttpResponse.json(summary)),
  )
})

/** Serves suspects 1 and 2, and 3 on a second page where one is waited for; gives what was asked and sent. */
function serveSuspects({ first, isRefused = false, second }: Wait = {}) {
  const [asked, sent]: [string[], unknown[]] = [[], []]
  server.use(
    http.get('*/projects/:slug/suspects', async ({ request }) => {
      const cursor = new URL(request.url).searchParams.get('cursor')
      asked.push(cursor ?? 'first')
      if (!cursor) return HttpResponse.json(page([suspect(1), suspect(2)], second && 'more'))
      await second
      return HttpResponse.json(page([suspect(3)]))
    }),
    http.post('*/suspects/:id/decisions', async ({ request, params }) => {
      const { decision } = (await request.json()) as Pick<Suspect, 'decision'>
      sent.push([params.id, decision])
      if (params.id === '1') await first
      if (params.id === '1' && isRefused) return refusal(403, 'forbidden', sentence)
      return HttpResponse.json(suspect(Number(params.id), { decision, decided: decision === 'open' ? null : decided }))
    }),
  )
  return { asked, sent }
}

/** The same of the dropped captions 1 and 2. */
function servePool({ first, isRefused = false, second }: Wait = {}) {
  server.use(
    http.get('*/images/2/candidates', async ({ request }) => {
      const isFirst = !new URL(request.url).searchParams.has('cursor')
      const rows = [1, 2].map((id) => dropped(id, 'too_short', '1 word, 3 needed', { raw_text: `Sea ${id}` }))
      if (isFirst) return HttpResponse.json(page(rows, second && 'more'))
      await second
      return HttpResponse.json(page([candidate(3)]))
    }),
    http.post('*/candidates/:id/restore', async ({ params }) => {
      if (params.id === '1') await first
      if (params.id === '1' && isRefused) return refusal(409, 'in_hit', sentence)
      return HttpResponse.json(candidate(Number(params.id), { text: `Sea ${String(params.id)}` }))
    }),
  )
}

const openSuspects = () => renderPage(<LeakagePage project={curated} filter="open" />, alice)
const openPool = () =>
  renderPage(<PoolPage project={curated} imageId={2} filter={{}} onFilter={() => undefined} />, alice)

async function rows(n: number) {
  await waitFor(() => expect(document.querySelectorAll('li[data-index]')).toHaveLength(n))
  return [...document.querySelectorAll<HTMLElement>('li[data-index]')].map((row) => within(row))
}

test('a refused decision on a suspect is told though the next one was made before the answer', async () => {
  const { gate, release } = held()
  const { sent } = serveSuspects({ first: gate, isRefused: true })
  const { user } = openSuspects()
  const [one, two] = await rows(2)
  await user.keyboard('xa')
  expect(await two?.findByText('Allowed')).toBeVisible()
  release()
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(await one?.findByText('To decide (excluded for now)')).toBeVisible()
  expect(await two?.findByText(/by Alice/)).toBeVisible()
  expect(screen.getByText(sentence)).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Undo' })).toBeVisible()
  expect(sent).toEqual([
    ['1', 'kept_out'],
    ['2', 'allowed'],
  ])
})

test('a refused decision on a caption is told though the next one was made before the answer', async () => {
  const { gate, release } = held()
  servePool({ first: gate, isRefused: true })
  const { user } = openPool()
  const [one, two] = await rows(2)
  await user.keyboard('jrjr')
  expect(await two?.findByText('Kept')).toBeVisible()
  release()
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(await one?.findByText('Too short')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Undo' })).toBeVisible()
  expect(screen.getByText(sentence)).toBeVisible()
})

test('a page of suspects that was under way takes no decision off the screen', async () => {
  const { gate, release } = held()
  serveSuspects({ second: gate })
  const { user } = openSuspects()
  const [one] = await rows(2)
  await user.keyboard('x')
  expect(await one?.findByText(/by Alice/)).toBeVisible()
  release()
  const [still] = await rows(3)
  expect(still?.getByText(/by Alice/)).toBeVisible()
})

test('a page of captions that was under way takes no decision off the screen', async () => {
  const { gate, release } = held()
  servePool({ second: gate })
  const { user } = openPool()
  const [one] = await rows(2)
  await user.keyboard('jr')
  expect(await one?.findByText('Kept')).toBeVisible()
  release()
  const [still] = await rows(3)
  expect(still?.getByText('Kept')).toBeVisible()
})

test('a key held down decides on one suspect', async () => {
  const { sent } = serveSuspects()
  const { user } = openSuspects()
  const [, two] = await rows(2)
  await user.keyboard('{x>5/}')
  expect(await screen.findByRole('button', { name: 'Undo' })).toBeVisible()
  expect(two?.getByText('To decide (excluded for now)')).toBeVisible()
  expect(sent).toEqual([['1', 'kept_out']])
})

test('every row keeps the place of its keys, and they are the person’s own', async () => {
  serveSuspects()
  const preferences = { ...alice.preferences, keys: { 'leakage.allow': '7' } }
  const { user } = renderPage(<LeakagePage project={curated} filter="open" />, { ...alice, preferences })
  const [one, two] = await rows(2)
  const allow = [one, two].map((row) => row?.getByRole('button', { name: 'Allow' }))
  expect(allow.map((button) => button?.querySelector('kbd')?.textContent)).toEqual(['7', '7'])
  expect(allow.map((button) => button?.getAttribute('aria-keyshortcuts'))).toEqual(['7', null])
  await user.keyboard('jj')
  expect(allow.map((button) => button?.getAttribute('aria-keyshortcuts'))).toEqual([null, '7'])
})

test('a caption’s button has its own keys, and the other rows keep their place', async () => {
  servePool()
  renderPage(<PoolPage project={curated} imageId={2} filter={{}} onFilter={() => undefined} />, {
    ...alice,
    preferences: { ...alice.preferences, keys: { 'pool.restore': 'b' } },
  })
  const buttons = (await rows(2)).map((row) => row.getByRole('button', { name: 'Restore' }))
  expect(buttons.map((button) => button.querySelector('kbd')?.textContent)).toEqual(['B', 'B'])
  expect(buttons.map((button) => button.getAttribute('aria-keyshortcuts'))).toEqual(['b', null])
})

test('the button that was pressed keeps the focus and is said to be pressed', async () => {
  const { sent } = serveSuspects()
  const { user } = openSuspects()
  const keepOut = (await rows(2))[1]?.getByRole('button', { name: 'Exclude' })
  keepOut?.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(keepOut).toHaveAttribute('aria-pressed', 'true'))
  expect(keepOut).toHaveFocus()
  expect(keepOut).toBeEnabled()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('button', { name: 'Undo' })).toBeVisible()
  expect(sent).toEqual([['2', 'kept_out']])
})

test('Z gives an open suspect back as it was', async () => {
  const { sent } = serveSuspects()
  const { user } = openSuspects()
  const [one] = await rows(2)
  await user.keyboard('x')
  expect(await screen.findByRole('button', { name: 'Undo' })).toHaveAttribute('aria-keyshortcuts', 'z')
  await user.keyboard('z')
  expect(await one?.findByText('To decide (excluded for now)')).toBeVisible()
  expect(await screen.findByText('The decision is undone.')).toBeVisible()
  expect(sent).toEqual([
    ['1', 'kept_out'],
    ['1', 'open'],
  ])
})

test('what is decided stays in its list until somebody comes back, and other lists are read anew', async () => {
  const { asked } = serveSuspects()
  const { user, queryClient } = openSuspects()
  await rows(2)
  const other = ['project', 'harbour', 'suspects', 'allowed']
  queryClient.setQueryData(other, { pages: [], pageParams: [] })
  await user.keyboard('x')
  expect(await screen.findByRole('button', { name: 'Undo' })).toBeVisible()
  expect(queryClient.getQueryData(other)).toBeUndefined()
  focusManager.setFocused(false)
  focusManager.setFocused(true)
  onlineManager.setOnline(false)
  onlineManager.setOnline(true)
  await rows(2)
  expect(asked).toEqual(['first'])
})

test('a list read anew goes by what the server says by then', async () => {
  serveSuspects()
  const { user, queryClient } = openSuspects()
  const [one] = await rows(2)
  await user.keyboard('x')
  expect(await one?.findByText(/by Alice/)).toBeVisible()
  const bob = { ...decided, decided_by: 'Bob' }
  server.use(
    http.get('*/projects/:slug/suspects', () =>
      HttpResponse.json(page([suspect(1, { decision: 'allowed', decided: bob }), suspect(2)])),
    ),
  )
  await new Promise((resolve) => setTimeout(resolve, 2)) // Not in the millisecond of the answer.
  await queryClient.invalidateQueries({ queryKey: ['project', 'harbour', 'suspects'] })
  expect(await one?.findByText(/by Bob/)).toBeVisible()
})
