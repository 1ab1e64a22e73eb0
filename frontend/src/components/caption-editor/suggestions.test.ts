import { expect, test } from 'vitest'
import type { SuggestedEdit } from '@/lib/api/contract'
import { findChanges, typedEdits } from '@/lib/judging/find-edits'
import { replaced, spanOf } from './suggestions'

const text = '🎉 John sees two red boats'
const suggestion = (before: string, kind: SuggestedEdit['kind'], options: string[] = []): SuggestedEdit => {
  const start = Array.from(text.slice(0, text.indexOf(before))).length
  return { kind, start, end: start + Array.from(before).length, before, options }
}
const wordsAt = (written: string, before: string) => {
  const span = spanOf(text, written, suggestion(before, 'color'))
  return span && written.slice(span.start, span.end)
}

test('the words of a suggestion are found behind signs that count twice', () => {
  expect(wordsAt(text, 'red')).toBe('red')
  expect(wordsAt(text, 'John')).toBe('John')
})

test('they are found where earlier changes have moved them', () => {
  const written = text.replace('John', 'An old <person>')
  expect(wordsAt(written, 'red')).toBe('red')
  expect(wordsAt(written, 'John')).toBeNull()
})

test('a change later in the caption moves nothing', () => {
  expect(wordsAt(text.replace('boats', 'ships'), 'John')).toBe('John')
})

test('taking an option changes these words and gives the change its kind', () => {
  const red = suggestion('red', 'color', ['blue'])
  const span = spanOf(text, text, red)
  const written = span ? replaced(text, span, 'teal') : ''
  expect(written).toBe('🎉 John sees two teal boats')
  expect(typedEdits(findChanges(text, written), {}, [], [red])).toEqual([
    { start: 16, end: 19, before: 'red', after: 'teal', kind: 'color' },
  ])
})

test('of two suggestions around a change the narrower gives the kind, and a chosen kind stands above both', () => {
  const [wide, narrow] = [suggestion('two red boats', 'number'), suggestion('red', 'color')]
  const changes = findChanges(text, text.replace('red', 'teal'))
  expect(typedEdits(changes, {}, [], [wide, narrow])[0]?.kind).toBe('color')
  expect(typedEdits(changes, { '16 red': 'other' }, [], [wide, narrow])[0]?.kind).toBe('other')
})
