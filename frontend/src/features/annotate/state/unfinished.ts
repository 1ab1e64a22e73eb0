import type { AssignmentItem } from '@/lib/api/contract'
import { editedText } from '@/lib/judging/edits'
import type { Writing } from '@/lib/judging/writing'
import type { Answer, JudgingState } from './judging'

/** What somebody is writing about one pair and has neither kept nor left: it outlives its field, and a reload. */
export interface Unfinished {
  /** The editor stands in place of the caption as long as this is there. */
  edit: Writing | null
  comment: string | null
}

export type UnfinishedByPosition = Readonly<Record<number, Unfinished>>

export const nothingUnfinished: Unfinished = { edit: null, comment: null }

/** The edit in work of the open caption. */
export function openEdit({ items, unfinished, current }: JudgingState): Writing | null {
  const item = items[current]
  return (item && unfinished[item.position]?.edit) ?? null
}

/** The editor as it opens: with what is kept of the caption already. */
export const editOf = (item: AssignmentItem, answer: Answer | undefined): Writing => ({
  text: editedText(item.text ?? '', answer?.edits ?? []),
  kinds: {},
})

export function withUnfinished(state: JudgingState, index: number, change: Partial<Unfinished>): JudgingState {
  const item = state.items[index]
  if (!item) return state
  const after = { ...nothingUnfinished, ...state.unfinished[item.position], ...change }
  const rest = Object.entries(state.unfinished).filter(([key]) => Number(key) !== item.position)
  const isNothing = after.edit === null && after.comment === null
  return { ...state, unfinished: Object.fromEntries(isNothing ? rest : [...rest, [item.position, after]]) }
}

/** An editor that was opened and never written in closes when its caption is left. */
export function withoutUntouchedEdit(state: JudgingState): JudgingState {
  const item = state.items[state.current]
  const edit = openEdit(state)
  if (!item || !edit || Object.keys(edit.kinds).length > 0) return state
  const { text } = editOf(item, state.answers[item.position])
  return text === edit.text ? withUnfinished(state, state.current, { edit: null }) : state
}

/** The first caption whose edit is neither kept nor left, or -1: it must not go missing in a submit. */
export const unfinishedEdit = ({ items, unfinished }: JudgingState): number =>
  items.findIndex(({ position }) => unfinished[position]?.edit)
