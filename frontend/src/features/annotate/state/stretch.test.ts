import { expect, test } from 'vitest'
import { hushed, isBreakDue, keepStretch, readStretch, snoozed, type Stretch, stirred } from './stretch'

const minute = 60_000
/** Somebody who stirs every minute from 0 on. */
const workedFor = (minutes: number): Stretch =>
  Array.from({ length: minutes }, (_, n) => (n + 1) * minute).reduce(stirred, stirred(null, 0))

test('a break is due after the minutes that were chosen, and never where none are', () => {
  expect(isBreakDue(workedFor(49), 50, 49 * minute)).toBe(false)
  expect(isBreakDue(workedFor(50), 50, 50 * minute)).toBe(true)
  expect(isBreakDue(workedFor(25), 25, 25 * minute)).toBe(true)
  expect(isBreakDue(workedFor(500), 0, 500 * minute)).toBe(false)
})

test('a pause ends the stretch: while it lasts nothing is proposed, and the next begins from nothing', () => {
  const worked = workedFor(60)
  expect(isBreakDue(worked, 50, 66 * minute)).toBe(false)
  expect(stirred(worked, 66 * minute)).toEqual({ startedAt: 66 * minute, lastAt: 66 * minute, quietUntil: 0 })
  expect(stirred(worked, 64 * minute).startedAt).toBe(0)
})

test('later means in ten minutes, and once is enough for one stretch', () => {
  const later = snoozed(workedFor(50), 50 * minute)
  const on = [51, 55, 59, 60].reduce((stretch, at) => stirred(stretch, at * minute), later)
  expect(isBreakDue(on, 50, 59 * minute)).toBe(false)
  expect(isBreakDue(on, 50, 60 * minute)).toBe(true)
  expect(isBreakDue(stirred(hushed(on), 63 * minute), 50, 63 * minute)).toBe(false)
})

test('a clock that was put back begins anew', () => {
  expect(stirred(workedFor(50), 10).startedAt).toBe(10)
})

test('the stretch outlives a reload, hushed or not, and nonsense in the storage is none', () => {
  keepStretch(hushed(workedFor(3)))
  expect(readStretch()).toEqual(hushed(workedFor(3)))
  for (const nonsense of ['x', '[]', '["a",1,2]', '{}', 'null']) {
    localStorage.setItem('connote.stretch', nonsense)
    expect(readStretch()).toBeNull()
  }
})
