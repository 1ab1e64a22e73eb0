import type { AssignmentItem } from '@/lib/api/contract'
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
const isCaption = (items: readonly AssignmentItem[]): boolean => items.every((item) => item.text !== null)

/** How one of them is called. */
export const itemName = ({ items }: Pick<JudgingState, 'items'>) => (isCaption(items) ? 'Caption' : 'Photograph')

export function whereAmI(items: readonly AssignmentItem[], index: number): string {
  const item = items[index]
  const name = itemName({ items })
  if (!item) return `All ${items.length} ${name.toLowerCase()}s are judged. Submit to go on.`
  return `${name} ${index + 1} of ${items.length}${item.text === null ? '.' : `: ${item.text}`}`
}
