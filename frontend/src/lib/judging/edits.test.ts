import { expect, test } from 'vitest'
import { editedText, piecesOf } from './edits'
import { findChanges, guessKind, rewritten, typedEdits } from './find-edits'

const edit = (start: number, end: number, before: string, after: string) => ({
  start,
  end,
  before,
  after,
  kind: 'other' as const,
})

test('a changed word is one change at its place', () => {
  expect(findChanges('A red tractor in a field.', 'A blue tractor in a field.')).toEqual([
    { start: 2, end: 5, before: 'red', after: 'blue' },
  ])
})

test('an added and a left-out word are changes too', () => {
  const added = findChanges('A tractor.', 'A red tractor.')
  expect(editedText('A tractor.', typedEdits(added, {}, []))).toBe('A red tractor.')
  const left = findChanges('A red tractor.', 'A tractor.')
  expect(editedText('A red tractor.', typedEdits(left, {}, []))).toBe('A tractor.')
})

test('places count code points, so that an emoji before them shifts nothing', () => {
  const [change] = findChanges('🐘🐘 two elephants', '🐘🐘 three elephants')
  expect(change).toEqual({ start: 3, end: 6, before: 'two', after: 'three' })
  expect(editedText('🐘🐘 two elephants', typedEdits(change ? [change] : [], {}, []))).toBe('🐘🐘 three elephants')
})

test.each([
  ['', 'Anything at all'],
  ['One two three', 'One two three'],
  ['John rides an elk', '<person> rides a deer, slowly'],
  ['a  b', 'a b c'],
])('the changes from %j to %j make it so', (before, after) => {
  expect(editedText(before, typedEdits(findChanges(before, after), {}, []))).toBe(after)
})

test('an edit that does not find what it says is left out', () => {
  expect(piecesOf('A red tractor.', [edit(2, 5, 'tan', 'blue')])).toEqual([{ kind: 'same', text: 'A red tractor.' }])
})

test.each([
  ['red', 'blue', 'color'],
  ['two', '3', 'number'],
  ['elk', 'deer', 'object_name'],
  ['John', '<person>', 'person'],
  ['in the evening', 'at noon', 'other'],
])('%s → %s is guessed to be %s', (before, after, kind) => {
  expect(guessKind({ start: 0, end: 1, before, after })).toBe(kind)
})

test('what the person chose stands, then what stood before, then the guess', () => {
  const change = { start: 2, end: 5, before: 'red', after: 'blue' }
  expect(typedEdits([change], { '2 red': 'location' }, [])[0]?.kind).toBe('location')
  expect(typedEdits([change], {}, [{ ...change, kind: 'other' }])[0]?.kind).toBe('other')
  expect(typedEdits([change], {}, [])[0]?.kind).toBe('color')
})

test.each([
  ['A tractor.', '  A red \n tractor. ', 'A red tractor.'],
  ['A red car', 'A red  blue\u00a0car', 'A red blue car'],
  ['A red car', ' A red  car', 'A red car'],
  ['A  red car', 'A red  car', 'A  red car'],
  ['Caf\u00e9 by the sea', 'Cafe\u0301 by  the sea', 'Caf\u00e9 by the sea'],
  ['Caf\u00e9 by the sea', 'Cafe\u0301 by a sea', 'Cafe\u0301 by a sea'],
  ['A tractor.', 'A \ud800red\0 tractor.', 'A red tractor.'],
  ['A tractor.', 'A 🚜.', 'A 🚜.'],
])('a caption is one line, and blanks alone are no change: %j, %j', (text, written, now) => {
  expect(rewritten(text, written)).toBe(now)
})

test.each([
  ' ',
  '\u200b',
  '\u00ad\u2060',
  '\u2800',
  '\u3164',
  '\u0301',
  '\ufe0f',
  '\u{1d159}',
  '\ue000',
  '\u{e0067}\u{e007f}',
])('a caption of which nothing can be seen is empty: %j', (written) => {
  expect(rewritten('A tractor.', written)).toBe('')
})

test.each(['.', '❤\ufe0f', 'が', '1\ufe0f\u20e3', '🩷', '⠕', '\u200fكلب'])('%j can be seen', (written) => {
  expect(rewritten('A tractor.', written)).toBe(written)
})
