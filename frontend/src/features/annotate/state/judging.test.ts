import { expect, test } from 'vitest'
import { assignment } from '@/testing/data'
import { isComplete, type JudgingEvent, judgingReducer, type JudgingState, judgmentsOf, startJudging } from './judging'

const { items } = assignment()
const fresh = startJudging(items, null)
const after = (state: JudgingState, ...events: JudgingEvent[]) => events.reduce(judgingReducer, state)
const judge = (label: 'good' | 'bad' | 'unsure', ms = 10): JudgingEvent => ({ type: 'judge', label, ms })
const move = (by: 1 | -1): JudgingEvent => ({ type: 'move', by })

test('a judgment labels the open caption and opens the next', () => {
  const state = after(fresh, judge('good', 812.4))
  expect(state).toMatchObject({ labels: { 1: 'good' }, ms: { 1: 812 }, current: 1 })
  expect(state.said).toBe('Caption 1 is good. Caption 2 of 3: A red tractor in a field.')
})

test('a caption left open over night counts as an hour', () => {
  expect(after(fresh, judge('good', 50_000_000)).ms).toEqual({ 1: 3_600_000 })
})

test('a skipped caption is come back to before the end', () => {
  const state = after(fresh, move(1), judge('bad'), judge('unsure'))
  expect(state.current).toBe(0)
  expect(isComplete(state)).toBe(false)
})

test('when every caption is judged none is open, and a stray key changes nothing', () => {
  const done = after(fresh, judge('good'), judge('bad'), judge('unsure'))
  expect(done).toMatchObject({ current: 3, said: 'Caption 3 is unsure. All 3 captions are judged. Submit to go on.' })
  expect(after(done, judge('good'))).toBe(done)
})

test('a judged caption can be opened again and judged anew', () => {
  const done = after(fresh, judge('good'), judge('bad'), judge('unsure'))
  const changed = after(done, { type: 'open', index: 1 }, judge('good', 5))
  expect(judgmentsOf(changed)).toEqual([
    { position: 1, label: 'good', ms: 10 },
    { position: 2, label: 'good', ms: 5 },
    { position: 3, label: 'unsure', ms: 10 },
  ])
})

test('arrows stop at both ends, and past the end only once all are judged', () => {
  expect(after(fresh, move(-1)).current).toBe(0)
  expect(after(fresh, move(1), move(1), move(1)).current).toBe(2)
  const done = after(fresh, judge('good'), judge('bad'), judge('unsure'))
  expect(after(done, move(-1), move(1), move(1)).current).toBe(3)
})

test('undo gives back the caption and its former label, one step at a time', () => {
  const twice = after(fresh, judge('good'), { type: 'open', index: 0 }, judge('bad'))
  const once = after(twice, { type: 'undo' })
  expect(once).toMatchObject({ labels: { 1: 'good' }, current: 0 })
  const none = after(once, { type: 'undo' })
  expect(none.labels).toEqual({})
  expect(after(none, { type: 'undo' })).toBe(none)
})

test('labels the server already holds are shown, and the draft wins over them', () => {
  const held = items.map((item) => (item.position === 1 ? { ...item, label: 'bad' as const } : item))
  expect(startJudging(held, null)).toMatchObject({ labels: { 1: 'bad' }, current: 1 })
  expect(startJudging(held, { labels: { 1: 'good' }, ms: {}, current: 2 })).toMatchObject({
    labels: { 1: 'good' },
    current: 2,
  })
})
