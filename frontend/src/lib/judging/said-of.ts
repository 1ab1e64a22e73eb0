import type { AssignmentItem, JudgmentIn, Label } from '@/lib/api/contract'

/** What stands of an item, as it is sent; with another label the lens goes where only a good caption has one. */
export function saidOf(item: AssignmentItem, label: Label): JudgmentIn {
  const { position, edits, lens, comment, is_generic } = item
  return { position, label, edits, lens: label === 'good' ? (lens ?? '') : '', comment, is_generic }
}
