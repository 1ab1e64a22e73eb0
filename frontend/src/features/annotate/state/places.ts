import type { AssignmentItem } from '@/lib/api/contract'
import { t } from '@/messages/annotate'
import type { JudgingState } from './judging'

/** The next pair without a label from `from` on, round to the start; past the end when all have one. */
export function firstOpen(items: readonly AssignmentItem[], answers: JudgingState['answers'], from: number): number {
  const isOpen = (item: AssignmentItem | undefined) => item !== undefined && !answers[item.position]?.label
  for (let step = 0; step < items.length; step += 1) {
    const index = (from + step) % items.length
    if (isOpen(items[index])) return index
  }
  return items.length
}

/** A text is judged of one photograph, or photographs of one text. */
export const isOfCaptions = (items: readonly AssignmentItem[]): boolean => items.every((item) => item.text !== null)

/** How one of them is called. */
export const itemName = ({ items }: Pick<JudgingState, 'items'>) => (isOfCaptions(items) ? t.caption : t.photograph)

export function whereAmI(items: readonly AssignmentItem[], index: number): string {
  const item = items[index]
  const n = items.length
  if (!item) return isOfCaptions(items) ? t.allCaptionsJudged({ n }) : t.allPhotographsJudged({ n })
  const place = t.placeOf({ name: itemName({ items }), index: index + 1, n })
  return item.text === null ? `${place}.` : `${place}: ${item.text}`
}
