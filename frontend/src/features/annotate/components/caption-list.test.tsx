import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Label } from '@/lib/api/contract'
import { assignment } from '@/testing/data'
import { renderPage } from '@/testing/render-app'
import { noAnswer, startJudging } from '../state/judging'
import { CaptionList } from './caption-list'

const { items } = assignment()

async function show(labels: Record<number, Label> = {}, current = 0) {
  const answers = Object.fromEntries(Object.entries(labels).map(([key, label]) => [key, { ...noAnswer, label }]))
  const state = startJudging(items, { answers, current, unfinished: {} })
  const open = vi.fn()
  const swipe = vi.fn()
  renderPage(<CaptionList state={state} onOpen={open} onSwipe={swipe} tools={null} deeds={null} editor={null} />)
  const list = await screen.findByRole('list')
  return { open, swipe, list }
}

function stroke(element: Element, by: { x: number; y: number }): void {
  fireEvent.touchStart(element, { touches: [{ clientX: 200, clientY: 300 }] })
  fireEvent.touchEnd(element, { changedTouches: [{ clientX: 200 + by.x, clientY: 300 + by.y }] })
}

test.each([
  ['to the right goes back', { x: 90, y: 10 }, -1],
  ['to the left goes on', { x: -90, y: 10 }, 1],
])('a stroke %s', async (_, by, step) => {
  const { swipe, list } = await show()
  stroke(list, by)
  expect(swipe).toHaveBeenCalledExactlyOnceWith(step)
})

test.each([
  ['short', { x: 40, y: 0 }],
  ['mostly downwards', { x: 80, y: 60 }],
])('a stroke that is %s is scrolling, not stepping', async (_, by) => {
  const { swipe, list } = await show()
  stroke(list, by)
  expect(swipe).not.toHaveBeenCalled()
})

test('the open caption is marked and all others can be opened', async () => {
  const { open } = await show({ 1: 'good' }, 1)
  expect(screen.getByText('A red tractor in a field.').closest('li')).toHaveAttribute('aria-current', 'step')
  fireEvent.click(screen.getByRole('button', { name: 'Waiting is also a way of travelling.' }))
  expect(open).toHaveBeenCalledExactlyOnceWith(2)
})

test('once all are judged the sums stand in their place', async () => {
  await show({ 1: 'good', 2: 'bad', 3: 'good' }, 3)
  expect(screen.getByText('2 good, 1 bad, 0 unsure.', { exact: false })).toBeVisible()
})
