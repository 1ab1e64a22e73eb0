import { act, screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { toastStore } from '@/components/ui/toast-store'
import type { News } from '@/lib/tabs/news'
import { queue, second } from '@/testing/annotating'
import { assignment, harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AnnotatePage } from './annotate-page'

const otherTab = new BroadcastChannel('connote')
afterEach(() => {
  Reflect.deleteProperty(navigator, 'locks')
})

const mine = assignment()
const done = (how: 'sent' | 'skipped', owner = 'bob'): News => ({ kind: 'done', owner, assignmentId: mine.id, how })

async function openPage() {
  queue(mine, second)
  const view = renderPage(<AnnotatePage project={harbour} />)
  await screen.findByText('The sea keeps its own counsel.')
  await waitFor(() => expect(view.queryClient.isFetching()).toBe(0))
  return view
}

test.each([
  ['sent', 'You submitted this task in another tab. This is the next task.'],
  ['skipped', 'You skipped this task in another tab. This is the next task.'],
] as const)('what another tab %s gives way to the next one, with a sentence', async (how, words) => {
  await openPage()
  otherTab.postMessage(done(how))
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(toastStore.snapshot().at(-1)?.text).toBe(words)
})

test('what somebody else’s tab did changes nothing here', async () => {
  const { user } = await openPage()
  otherTab.postMessage(done('sent', 'dora'))
  await user.keyboard('g')
  expect(screen.getByText('The sea keeps its own counsel.')).toBeVisible()
})

/** The browser's locks, with one that another tab holds until it is asked to let go. */
function lockedByAnotherTab() {
  let free: () => void = () => undefined
  const request = async (name: string, ...rest: unknown[]) => {
    const work = rest.at(-1) as (lock: unknown) => Promise<void>
    const options = (rest.length > 1 ? rest[0] : {}) as LockOptions
    if (!name.startsWith('connote.hit.')) return work({ name })
    if (options.ifAvailable) return work(null)
    if (!options.steal) await new Promise<void>((resolve) => (free = resolve))
    return work({ name })
  }
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
  return () => free()
}

test('a HIT that another tab works on can be taken over', async () => {
  lockedByAnotherTab()
  queue(mine)
  const { user } = renderPage(<AnnotatePage project={harbour} />)
  expect(await screen.findByRole('heading', { name: 'This task is open in another tab' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Continue here' }))
  expect(await screen.findByText('The sea keeps its own counsel.')).toBeVisible()
})

test('it comes by itself when the other tab is closed', async () => {
  const closeOther = lockedByAnotherTab()
  queue(mine)
  renderPage(<AnnotatePage project={harbour} />)
  await screen.findByRole('heading', { name: 'This task is open in another tab' })
  closeOther()
  expect(await screen.findByText('The sea keeps its own counsel.')).toBeVisible()
})

test('who comes back after the time ran out is told so, and may finish it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const beat = vi.fn(() => refusal(409, 'lease_expired', 'Your time ran out.'))
  server.use(http.post('*/api/v1/assignments/:id/heartbeat', beat))
  queue(assignment({ expires_at: new Date(Date.now() + 20_000).toISOString() }))
  renderPage(<AnnotatePage project={harbour} />)
  await screen.findByText('The sea keeps its own counsel.')
  await act(() => vi.advanceTimersByTimeAsync(16_000))
  expect(await screen.findByText(/This task has expired, but you can still finish it/)).toBeVisible()
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(beat).toHaveBeenCalledTimes(1)
})
