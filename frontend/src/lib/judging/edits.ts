import type { Edit } from './annotation-words'

/** A run of an edited caption. Places of edits count code points; a string here counts some signs as two. */
export interface Piece {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** The caption cut at its edits, in the order they stand. Edits that do not fit the text are left out. */
export function piecesOf(text: string, edits: readonly Edit[]): Piece[] {
  const points = Array.from(text)
  const pieces: Piece[] = []
  let at = 0
  for (const { start, end, before, after } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at || points.slice(start, end).join('') !== before) continue
    pieces.push({ kind: 'same', text: points.slice(at, start).join('') })
    pieces.push({ kind: 'removed', text: before }, { kind: 'added', text: after })
    at = end
  }
  pieces.push({ kind: 'same', text: points.slice(at).join('') })
  return pieces.filter((piece) => piece.text !== '')
}

/** The caption as it reads with its edits made. */
export const editedText = (text: string, edits: readonly Edit[]): string =>
  piecesOf(text, edits)
    .filter((piece) => piece.kind !== 'removed')
    .map((piece) => piece.text)
    .join('')
