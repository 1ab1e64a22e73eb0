import { expect, test } from 'vitest'
import type { EditKind } from './annotation-words'
import { editedText } from './edits'
import { changeKey } from './find-edits'
import { editsOf } from './fold-edits'
import { mostEdits } from './limits'

const words = (n: number, word: string) => Array.from({ length: n }, (_, at) => `${word}${at}`)
const caption = words(60, 'elk').join(' ')
/** The first `n` words changed. */
const changed = (n: number) => [...words(n, 'deer'), ...words(60, 'elk').slice(n)].join(' ')

test('as many changes as the server takes stay what they are', () => {
  const edits = editsOf(caption, changed(mostEdits), {}, [])
  expect(edits).toHaveLength(mostEdits)
  expect(edits.at(-1)).toMatchObject({ before: 'elk49', after: 'deer49', kind: 'object_name' })
})

test('more are joined with those beside them, the last first, and the caption reads the same', () => {
  const edits = editsOf(caption, changed(52), {}, [])
  expect(edits).toHaveLength(mostEdits)
  expect(edits.slice(-2)).toMatchObject([
    { before: 'elk48', after: 'deer48' },
    { before: 'elk49 elk50 elk51', after: 'deer49 deer50 deer51' },
  ])
  expect(editedText(caption, edits)).toBe(changed(52))
  expect(editedText(caption, editsOf(caption, changed(60), {}, []))).toBe(changed(60))
})

test('those with the least between them are joined, wherever they stand, signs of two units before them', () => {
  const far = words(50, '🐘').join(' and then ')
  const edits = editsOf(`${far} a red elk`, `${far.replaceAll('🐘', 'cat ')} one big elk`, {}, [])
  expect(edits).toHaveLength(mostEdits)
  expect(edits.at(-1)).toMatchObject({ after: expect.stringMatching(/one big$/) as string })
  expect(editedText(`${far} a red elk`, edits)).toBe(`${far.replaceAll('🐘', 'cat ')} one big elk`)
})

test('the kind a person chose stands while they write on beyond the most, and of single changes again below it', () => {
  const kinds: Record<string, EditKind> = {}
  const write = (n: number) => editsOf(caption, changed(n), kinds, [])
  const choose = (n: number, at: number, kind: EditKind) => {
    const edit = write(n).at(at)
    if (edit) kinds[changeKey(edit)] = kind
  }
  choose(50, 0, 'person')
  choose(50, -1, 'location')
  expect(write(51).at(-1)?.kind).toBe('location')
  choose(51, -1, 'color')
  expect([write(51), write(53), write(50)].map((edits) => edits.at(-1)?.kind)).toEqual(['color', 'color', 'location'])
  expect(write(60)[0]?.kind).toBe('person')
})

test('joined changes that a person gave several kinds are of another kind', () => {
  const keyOf = (word: string) => `${caption.indexOf(word)} ${word}`
  const last = (kinds: Record<string, EditKind>) => editsOf(caption, changed(52), kinds, []).at(-1)?.kind
  expect(last({ [keyOf('elk49')]: 'location', [keyOf('elk51')]: 'location' })).toBe('location')
  expect(last({ [keyOf('elk49')]: 'location', [keyOf('elk51')]: 'color' })).toBe('other')
})

test('an edit that was kept opens as it was', () => {
  const kept = editsOf(caption, changed(60), {}, []).map((edit) => ({ ...edit, kind: 'location' as const }))
  expect(editsOf(caption, editedText(caption, kept), {}, kept)).toEqual(kept)
})
