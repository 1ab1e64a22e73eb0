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
const written = (text: string, index = 0): JudgingEvent => ({
  type: 'write',
  index,
  change: { edit: { text, kinds: {} } },
})
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
  expect(done).toMatchObject({
    current: 3,
    said: 'Caption 3 is unsure. All 3 captions are judged. Submit to continue.',
  })
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

const undo: JudgingEvent = { type: 'undo' }
const redo: JudgingEvent = { type: 'redo' }

test('what was undone is named, and done again until something new is done', () => {
  const done = after(fresh, judge('good'), lens('figurative'))
  const undone = after(done, undo, undo)
  expect(undone.said).toBe('Undone: caption 1, answered good. Caption 1 of 3: The sea keeps its own counsel.')
  const again = after(undone, redo, redo)
  expect(again.answers).toEqual(done.answers)
  expect(again.said).toMatch(/^Redone: caption 2, answered good, figurative\./)
  expect(after(again, redo)).toBe(again)
  const other = after(undone, judge('bad'))
  expect(after(other, redo)).toBe(other)
})

test('every kind of step is taken back in its turn', () => {
  const edit = { start: 0, end: 3, kind: 'other' as const, before: 'The', after: 'A' }
  const steps: JudgingEvent[] = [
    { type: 'remark', change: { isGeneric: true }, said: '' },
    { type: 'remark', change: { comment: 'Odd.' }, said: '' },
    { type: 'remark', change: { edits: [edit] }, said: '' },
    judge('good'),
    { type: 'lens', lens: 'figurative', clock: { ms: 1, at }, index: 0 },
  ]
  const states = steps.reduce<JudgingState[]>((all, event) => [...all, after(all.at(-1) ?? fresh, event)], [fresh])
  let state = states.at(-1) ?? fresh
  const names: (string | undefined)[] = []
  for (const before of states.slice(0, -1).reverse()) {
    names.push(state.past.at(-1)?.name)
    state = after(state, undo)
    expect(state.answers).toEqual(before.answers)
  }
  expect(names).toEqual([
    'caption 1, reason figurative',
    'caption 1, answered good',
    'caption 1, edited',
    'caption 1, comment added',
    'caption 1, marked as too generic',
  ])
})

test('an edit in work that was left comes back, and a comment in work goes back to what it was', () => {
  const comment = (text: string): JudgingEvent => ({ type: 'write', index: 0, change: { comment: text } })
  const writing = after(fresh, written('The sea.'), { type: 'leave-edit', index: 0 })
  expect(writing).toMatchObject({ unfinished: {}, said: 'The edit is discarded. Press “Undo” to restore it.' })
  expect(after(writing, undo).unfinished[1]?.edit?.text).toBe('The sea.')
  const putBy = after(writing, comment('Od'), comment('Odd.'), { type: 'put-by-comment', index: 0, comment: null })
  expect(after(putBy, undo).unfinished).toEqual({})
  expect(after(putBy, undo, redo).unfinished[1]).toEqual({ edit: null, comment: 'Odd.' })
  expect(after(putBy, undo, undo).unfinished[1]).toMatchObject({ edit: { text: 'The sea.' } })
})

test('taking a label back leaves what is being written alone', () => {
  const state = after(fresh, judge('good'), { type: 'write', index: 0, change: { comment: 'Odd.' } }, undo)
  expect(state).toMatchObject({ answers: {}, unfinished: { 1: { comment: 'Odd.' } } })
})

test('moving, and an editor in which nothing was written, are no steps', () => {
  const state = after(fresh, move(1), move(-1), written(items[0]?.text ?? ''), { type: 'leave-edit', index: 0 })
  expect(state.past).toEqual([])
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
  expect(after(photographs, judge('good')).said).toBe('Image 1 is relevant. Image 2 of 2.')
})
