import type { SuggestedEdit } from '@/lib/api/contract'
import { findChanges } from '@/lib/judging/find-edits'

/** A stretch of what stands in the field, counted as fields count: some signs are two. */
export interface Span {
  start: number
  end: number
}

/** Where the words of a suggestion stand in what is written now; null where they are changed already. */
export function spanOf(text: string, written: string, { start, end }: SuggestedEdit): Span | null {
  let shift = 0
  for (const change of findChanges(text, written)) {
    const isBefore = change.end <= start
    if (!isBefore && change.start < end) return null
    if (isBefore) shift += Array.from(change.after).length - (change.end - change.start)
  }
  const points = Array.from(written)
  const unitsUpTo = (place: number) => points.slice(0, place + shift).join('').length
  return { start: unitsUpTo(start), end: unitsUpTo(end) }
}

export const replaced = (written: string, { start, end }: Span, by: string): string =>
  written.slice(0, start) + by + written.slice(end)
