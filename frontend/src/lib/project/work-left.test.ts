import { expect, test } from 'vitest'
import { workLeft } from './work-left'

const progress = (total: number, today: number, ms: number, taken: number) => ({
  mine: { submitted_today: today, submitted_total: total, judgments_total: 10 * total, ms_today: ms },
  project: { hits: 169, assignments_needed: 507, assignments_submitted: taken },
})

test('an annotator reads how many tasks are left and how long they take at the pace of today', () => {
  // 157 tasks are left, and six of today took three minutes.
  expect(workLeft(progress(12, 6, 180_000, 40), null)).toEqual({ done: 12, total: 169, minutes: 79 })
})

test('what others took and what the project allows count, and there is no time before the first task of a day', () => {
  expect(workLeft(progress(12, 0, 0, 500), null)).toEqual({ done: 12, total: 19, minutes: null })
  expect(workLeft(progress(12, 0, 0, 40), 20)).toEqual({ done: 12, total: 20, minutes: null })
  expect(workLeft(progress(30, 0, 0, 40), 20)).toEqual({ done: 30, total: 30, minutes: null })
})
