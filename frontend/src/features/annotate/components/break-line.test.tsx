import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { bob, harbour } from '@/testing/data'
import { renderPage } from '@/testing/render-app'
import { keepStretch } from '../state/stretch'
import { AnnotatePage } from './annotate-page'

const now = Date.parse('2026-03-01T10:00:00Z')
const minute = 60_000

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
})

async function openAfter(minutes: number, me = bob) {
  keepStretch({ startedAt: now - minutes * minute, lastAt: now - minute, quietUntil: 0 })
  const view = renderPage(<AnnotatePage project={harbour} />, me)
  await screen.findByText('The sea keeps its own counsel.')
  return view
}

const line = () => screen.queryByText(/without a break/)

test('after fifty minutes without a break one line proposes a break, and the work goes on under it', async () => {
  const { user } = await openAfter(52)
  expect(line()).toHaveTextContent('You have worked 52 min without a break. Time for a short break?')
  await user.keyboard('g')
  expect(document.querySelector('[data-open]')).toHaveTextContent('A red tractor in a field.')
})

test('it is put off or sent away, and stays away on the next look', async () => {
  const { user } = await openAfter(52)
  await user.click(screen.getByRole('button', { name: 'Remind me in ten minutes' }))
  expect(line()).not.toBeInTheDocument()
})

test('sent away it does not come back in this stretch, on another page either', async () => {
  const { user, unmount } = await openAfter(52)
  await user.click(screen.getByRole('button', { name: 'Skip the break' }))
  unmount()
  renderPage(<AnnotatePage project={harbour} />)
  await screen.findByText('The sea keeps its own counsel.')
  expect(line()).not.toBeInTheDocument()
})

test('who wants no breaks proposed gets none', async () => {
  await openAfter(300, { ...bob, preferences: { ...bob.preferences, break_minutes: 0 } })
  expect(line()).not.toBeInTheDocument()
})

test('the time of today stands beside what was sent today', async () => {
  await openAfter(1)
  expect(await screen.findByText('1 h 12 min')).toBeVisible()
})
