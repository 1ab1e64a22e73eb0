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
  chosen: Readonly<Record<string, EditKind>>,
  stood: readonly Edit[],
  suggested: readonly Place[] = [],
): Edit[] {
  const before = Object.fromEntries(stood.map((edit) => [changeKey(edit), edit.kind]))
  return changes.map((change) => {
    const key = changeKey(change)
    return { ...change, kind: chosen[key] ?? before[key] ?? suggestedKind(change, suggested) ?? guessKind(change) }
  })
}

function suggestedKind({ start, end }: Change, suggested: readonly Place[]): EditKind | undefined {
  const around = suggested.filter((place) => place.start <= start && end <= place.end && start < end)
  return around.sort((a, b) => a.end - a.start - (b.end - b.start))[0]?.kind
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The caption as somebody wrote it, one line without a blank too many; where only blanks differ, as it stood before. */
export function rewritten(text: string, written: string): string {
  const now = oneLine(written)
  return now === oneLine(text) ? text : now
}
