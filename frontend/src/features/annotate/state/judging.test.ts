import { expect, test } from 'vitest'
import { assignment, item } from '@/testing/data'
import {
  isComplete,
  type JudgingEvent,
  judgingReducer,
  type JudgingState,
  judgmentsOf,
  noAnswer,
  startJudging,
} from './judging'
import { unfinishedEdit } from './unfinished'

const { items } = assignment()
const fresh = startJudging(items, null)
const after = (state: JudgingState, ...events: JudgingEvent[]) => events.reduce(judgingReducer, state)
const at = '2026-03-01T10:00:00.000Z'
const unsaid = { client_at: at, lens: '', comment: '', is_generic: false }
const judge = (label: 'good' | 'bad' | 'unsure', ms = 10): JudgingEvent => ({ type: 'judge', label, clock: { ms, at } })
const lens = (name: 'figurative' | ''): JudgingEvent => ({ type: 'lens', lens: name, clock: { ms: 10, at } })
const move = (by: 1 | -1): JudgingEvent => ({ type: 'move', by })

test('a judgment labels the open caption and opens the next', () => {
  const state = after(fresh, judge('good', 812.4))
  expect(state).toMatchObject({ answers: { 1: { label: 'good', ms: 812, at } }, current: 1 })
  expect(state.said).toBe('Caption 1 is good. Caption 2 of 3: A red tractor in a field.')
})

test('a caption left open over night counts as an hour', () => {
  expect(after(fresh, judge('good', 50_000_000)).answers[1]?.ms).toBe(3_600_000)
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
    { position: 1, label: 'good', ms: 10, ...unsaid },
    { position: 2, label: 'good', ms: 5, ...unsaid },
    { position: 3, label: 'unsure', ms: 10, ...unsaid },
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
  expect(once).toMatchObject({ answers: { 1: { label: 'good' } }, current: 0 })
  const none = after(once, { type: 'undo' })
  expect(none.answers).toEqual({})
  expect(after(none, { type: 'undo' })).toBe(none)
})

test('labels the server already holds are shown, and the draft wins over them', () => {
  const held = items.map((each) => (each.position === 1 ? { ...each, label: 'bad' as const } : each))
  expect(startJudging(held, null)).toMatchObject({ answers: { 1: { label: 'bad' } }, current: 1 })
  expect(
    startJudging(held, { answers: { 1: { ...noAnswer, label: 'good' } }, current: 2, unfinished: {} }),
  ).toMatchObject({
    answers: { 1: { label: 'good' } },
    current: 2,
  })
})

test('a lens judges a caption good that is not, and only joins one that is', () => {
  const once = after(fresh, lens('figurative'))
  expect(once).toMatchObject({ answers: { 1: { label: 'good', lens: 'figurative' } }, current: 1, given: 'good' })
  expect(once.said).toBe('Caption 1 is good, figurative. Caption 2 of 3: A red tractor in a field.')
  const taken = after(once, { type: 'open', index: 0 }, lens(''))
  expect(taken).toMatchObject({ answers: { 1: { label: 'good', lens: '' } }, current: 0 })
})

test('a caption that is not good any more loses its lens', () => {
  const state = after(fresh, lens('figurative'), { type: 'open', index: 0 }, judge('bad'))
  expect(state.answers[1]).toMatchObject({ label: 'bad', lens: '' })
})

test('remarks are sent with the label, and undone one by one', () => {
  const edit = { start: 0, end: 3, kind: 'other' as const, before: 'The', after: 'A' }
  const state = after(
    fresh,
    { type: 'remark', change: { isGeneric: true }, said: '' },
    { type: 'remark', change: { comment: 'Odd.' }, said: '' },
    { type: 'remark', change: { edits: [edit] }, said: '' },
    judge('good'),
  )
  expect(judgmentsOf(state)).toEqual([
    { position: 1, label: 'good', ms: 10, ...unsaid, edits: [edit], comment: 'Odd.', is_generic: true },
  ])
  const undone = after(state, { type: 'undo' }, { type: 'undo' })
  expect(undone.answers[1]).toEqual({ ...noAnswer, isGeneric: true, comment: 'Odd.' })
  expect(judgmentsOf(undone)).toEqual([])
})

const written = (text: string, index = 0): JudgingEvent => ({
  type: 'write',
  index,
  change: { edit: { text, kinds: {} } },
})

test('an edit being written stays with its caption, and nothing else decides about it', () => {
  const state = after(fresh, judge('bad'), written('A blue tractor', 1), move(1))
  expect(state.unfinished).toEqual({ 2: { edit: { text: 'A blue tractor', kinds: {} }, comment: null } })
  expect(unfinishedEdit(state)).toBe(1)
  const back = after(state, move(-1))
  expect(after(back, judge('good'), lens('figurative'), { type: 'undo' })).toBe(back)
  expect(after(back, { type: 'remark', change: { edits: [] }, said: '' }).unfinished).toEqual({})
})

test('an editor in which nothing was written closes when its caption is left', () => {
  expect(after(fresh, written(items[0]?.text ?? ''), move(1)).unfinished).toEqual({})
})

test('what a dialog says goes to the caption it was opened for', () => {
  const state = after(fresh, move(1), { type: 'remark', index: 0, change: { comment: 'Odd.' }, said: '' })
  expect(state).toMatchObject({ answers: { 1: { comment: 'Odd.' } }, current: 0 })
  const judged = after(fresh, move(1), { type: 'lens', lens: 'figurative', index: 0, clock: { ms: 1, at } })
  expect(judged.answers).toMatchObject({ 1: { label: 'good', lens: 'figurative' } })
})

test('photographs of a query are spoken of as photographs', () => {
  const photographs = startJudging([item(1), item(2)], null)
  expect(after(photographs, judge('good')).said).toBe('Photograph 1 is good. Photograph 2 of 2.')
})
