import { diffWordsWithSpace } from 'diff'

export interface Piece {
  kind: 'same' | 'removed' | 'added'
  text: string
}

// Comparing costs the square of what differs; beyond these nobody reads a comparison anyway.
const longest = 20_000
const mostEdits = 1000

/** The changes of a text, word by word; undefined where the two are too long or too different to compare. */
export function wordDiff(before: string, after: string): Piece[] | undefined {
  if (before.length + after.length > longest) return undefined
  return diffWordsWithSpace(before, after, { maxEditLength: mostEdits })?.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
}
