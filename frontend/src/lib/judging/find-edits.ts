import { diffWordsWithSpace } from 'diff'
import type { Edit, EditKind } from './annotation-words'

export type Change = Omit<Edit, 'kind'>

/** What somebody changed in a caption, as places in code points of what stood before. */
export function findChanges(before: string, after: string): Change[] {
  const changes: Change[] = []
  let at = 0
  let open: Change | null = null
  for (const { value, added, removed } of diffWordsWithSpace(before, after)) {
    const length = Array.from(value).length
    if (!added && !removed) {
      open = null
      at += length
      continue
    }
    if (!open) changes.push((open = { start: at, end: at, before: '', after: '' }))
    if (added) open.after += value
    if (removed) {
      open.before += value
      open.end += length
      at += length
    }
  }
  return changes
}

/** One change is the same as long as it stands where it stood. */
export const changeKey = ({ start, before }: Change): string => `${start} ${before}`

/** Where the change of a key stands. */
export function spanOfKey(key: string): Span {
  const [start, before] = [parseInt(key), key.slice(key.indexOf(' ') + 1)]
  return { start, end: start + Array.from(before).length }
}

/** In code points of a caption. */
export type Span = Pick<Edit, 'start' | 'end'>

export const isWithin = (inner: Span, outer: Span): boolean => outer.start <= inner.start && inner.end <= outer.end

const colours = new Set(
  'black white grey gray red orange yellow green blue purple violet pink brown beige golden silver'.split(' '),
)
const numbers = new Set('no one two three four five six seven eight nine ten eleven twelve a an'.split(' '))
const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
const all = (text: string, test: (word: string) => boolean) => words(text).length > 0 && words(text).every(test)
const isNumber = (word: string) => numbers.has(word) || /^\d+$/.test(word)

/** A first guess at what kind of change it is, for the person to put right. */
export function guessKind({ before, after }: Change): EditKind {
  if (after.trim().startsWith('<person>')) return 'person'
  if (all(before, (word) => colours.has(word)) && all(after, (word) => colours.has(word))) return 'color'
  if (all(before, isNumber) && all(after, isNumber)) return 'number'
  if (words(before).length === 1 && words(after).length === 1) return 'object_name'
  return 'other'
}

/** A place of the text with the kind that a change of it would have. */
export type Place = Pick<Edit, 'start' | 'end' | 'kind'>

/**
 * The changes with their kinds: those the person chose, those of the edits that stood already, that of the narrowest
 * suggestion a change lies in, else a guess.
 */
export function typedEdits(
  changes: readonly Change[],
  chosen: Kinds,
  stood: readonly Edit[],
  suggested: readonly Place[] = [],
): Edit[] {
  const given = givenKinds(chosen, stood)
  const kindOf = (change: Change) => given[changeKey(change)] ?? suggestedKind(change, suggested) ?? guessKind(change)
  return changes.map((change) => ({ ...change, kind: kindOf(change) }))
}

/** By changeKey. */
export type Kinds = Readonly<Partial<Record<string, EditKind>>>

/** Those a person gave, now or before. */
export const givenKinds = (chosen: Kinds, stood: readonly Edit[]): Kinds => ({
  ...Object.fromEntries(stood.map((edit) => [changeKey(edit), edit.kind])),
  ...chosen,
})

function suggestedKind({ start, end }: Change, suggested: readonly Place[]): EditKind | undefined {
  const around = suggested.filter((place) => isWithin({ start, end }, place) && start < end)
  return around.sort((a, b) => a.end - a.start - (b.end - b.start))[0]?.kind
}

// Halves of signs and the sign that ends a text in C are no text to the server.
const oneLine = (text: string): string =>
  text
    .replace(/[\0\p{Cs}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
// What is drawn, as is_seen has it in backend/methods/edits/seen.py; DI are the ignorable ones.
const drawn = /[^\p{Cc}\p{Cf}\p{Co}\p{M}\p{Z}\p{DI}\u2800\u{1d159}]/u

/**
 * The caption as somebody wrote it, one line without a blank too many; empty where nothing of it can be seen. Where only
 * blanks or the ways of writing an accent differ, it is as it stood before.
 */
export function rewritten(text: string, written: string): string {
  const now = oneLine(written)
  if (now.normalize() === oneLine(text).normalize()) return text
  return drawn.test(now) ? now : ''
}
