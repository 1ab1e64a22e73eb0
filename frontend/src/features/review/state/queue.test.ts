import { expect, test } from 'vitest'
import { pairCase } from '@/testing/review-data'
import type { Counts } from '../api/shapes'
import {
  countsWith,
  decisionsReducer,
  lastUndoable,
  leftOf,
  neighbourOf,
  nextOf,
  noDecisions,
  type Step,
} from './queue'

const cases = [1, 2, 3].map((id) => pairCase(id))
const [first = pairCase(1), second = pairCase(2)] = cases
const ids = (all: readonly { id: number }[]) => all.map(({ id }) => id)
const after = (...steps: Step[]) => steps.reduce(decisionsReducer, noDecisions)
const decided = (of = first): Step => ({ kind: 'decided', case: of, words: 'Decided: Good' })

test('a decided case is gone at once, and the next one down is shown', () => {
  const state = after(decided(second))
  expect(ids(leftOf(cases, state))).toEqual([1, 3])
  expect(nextOf(cases, 2)?.id).toBe(3)
})

test('at the end of the list the first case is next, and after the last one none', () => {
  expect(nextOf(cases, 3)?.id).toBe(1)
  expect(nextOf([first], 1)).toBeNull()
  expect(nextOf(cases, 99)?.id).toBe(1)
})

test('going through the list ends at its ends', () => {
  expect(neighbourOf(cases, 1, 1)?.id).toBe(2)
  expect(neighbourOf(cases, 1, -1)).toBeNull()
  expect(neighbourOf(cases, null, 1)?.id).toBe(1)
})

test('a refused decision brings its case back, unless somebody else closed it', () => {
  const sent = [decided(), decided(second)]
  expect(ids(leftOf(cases, after(...sent, { kind: 'refused', id: 1, isClosed: false })))).toEqual([1, 3])
  expect(ids(leftOf(cases, after(...sent, { kind: 'refused', id: 1, isClosed: true })))).toEqual([3])
})

test('an undone case is there again', () => {
  const state = after(decided(), { kind: 'sent', id: 1, token: 't' }, { kind: 'undone', id: 1 })
  expect(ids(leftOf(cases, state))).toEqual([1, 2, 3])
  expect(lastUndoable(state)).toBeNull()
})

test('the last decision is undone first, and one that cannot be undone is passed over', () => {
  const state = after(decided(), decided(second), { kind: 'sent', id: 1, token: 'first' })
  expect(lastUndoable(state)?.case.id).toBe(2)
  expect(lastUndoable(decisionsReducer(state, { kind: 'sent', id: 2, token: null }))?.token).toBe('first')
})

test('a case that comes back for a new reason is in the list again', () => {
  const reworked = pairCase(1, {
    reasons: [...first.reasons, { code: 'rework_done', params: {}, at: '2026-03-02T10:00:00Z' }],
  })
  const state = after(decided(), { kind: 'sent', id: 1, token: 't' })
  expect(ids(leftOf([reworked, second], state))).toEqual([1, 2])
})

test('counts fall by each reason of a decided case, rise again, and never go below nothing', () => {
  const counts: Counts = { open: 3, mine: 0, by_reason: { sample: 3 }, disputes: 0, replies: 0, waiting_at_gate: 0 }
  const tied = pairCase(1, {
    reasons: [
      { code: 'sample', params: {}, at: '2026-03-01T10:00:00Z' },
      { code: 'tie', params: {}, at: '2026-03-01T10:00:00Z' },
    ],
  })
  const less = countsWith(counts, tied, -1)
  expect(less).toMatchObject({ open: 2, by_reason: { sample: 2, tie: 0 } })
  expect(countsWith(less, first, 1)).toMatchObject({ open: 3, by_reason: { sample: 3 } })
  expect(countsWith(counts, { ...first, state: 'done' }, -1)).toBe(counts)
})
