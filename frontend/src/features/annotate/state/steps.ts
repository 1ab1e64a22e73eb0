import { inSentence } from '@/lib/language/language'
import { t } from '@/messages/annotate'
import type { Answer, JudgingState } from './judging'
import { itemName } from './places'
import { nothingUnfinished, type Unfinished, withoutUntouchedEdit, withUnfinished } from './unfinished'

/** One thing somebody did about one pair. It holds only what it changed, so that taking it back touches nothing else. */
export interface Step {
  index: number
  /** As it is said: "caption 2 judged good". */
  name: string
  answer?: Change<Answer | undefined>
  unfinished?: Change<Partial<Unfinished>>
}

interface Change<Value> {
  before: Value
  after: Value
}

export interface Steps {
  past: readonly Step[]
  /** What was taken back and can be done again, the next one first. */
  future: readonly Step[]
}

export const lastStep = ({ past }: Steps): Step | undefined => past.at(-1)
export const nextStep = ({ future }: Steps): Step | undefined => future[0]

/** A new step; what was taken back before it cannot be done again. */
export const withStep = (state: JudgingState, step: Step): JudgingState => ({
  ...state,
  past: [...state.past, step],
  future: [],
})

export const stepBack = (state: JudgingState, step: Step): JudgingState => ({
  ...withSide(state, step, 'before'),
  past: state.past.slice(0, -1),
  future: [step, ...state.future],
})

export const stepForth = (state: JudgingState, step: Step): JudgingState => ({
  ...withSide(state, step, 'after'),
  past: [...state.past, step],
  future: state.future.slice(1),
})

function withSide(state: JudgingState, { index, answer, unfinished }: Step, side: 'before' | 'after'): JudgingState {
  const answered = answer ? withAnswerAt(state, index, answer[side]) : state
  return unfinished ? withUnfinished(answered, index, unfinished[side]) : answered
}

function withAnswerAt(state: JudgingState, index: number, answer: Answer | undefined): JudgingState {
  const item = state.items[index]
  if (!item) return state
  const rest = Object.entries(state.answers).filter(([key]) => Number(key) !== item.position)
  return { ...state, answers: Object.fromEntries(answer ? [...rest, [item.position, answer]] : rest) }
}

export const stepOf = (
  state: JudgingState,
  index: number,
  deed: string,
  change: Pick<Step, 'answer' | 'unfinished'>,
): Step => ({
  index,
  name: t.stepName({ item: inSentence(itemName(state)), n: index + 1, deed }),
  ...change,
})

/** An editor in which nothing was written closes without a step: there is nothing to take back. */
export function leaveEdit(state: JudgingState, index: number): JudgingState {
  const edit = unfinishedAt(state, index).edit
  const left = withUnfinished(state, index, { edit: null })
  if (!edit || (index === state.current && withoutUntouchedEdit(state) !== state)) return left
  const unfinished = { before: { edit }, after: { edit: null } }
  const step = stepOf(state, index, t.leftWithoutEdit, { unfinished })
  return { ...withStep(left, step), said: t.editLeft }
}

/** Closing the comment keeps what was written, which is a step; `before` is what was in work when it opened. */
export function putByComment(state: JudgingState, index: number, before: string | null): JudgingState {
  const { comment } = unfinishedAt(state, index)
  if (comment === before) return state
  const unfinished = { before: { comment: before }, after: { comment } }
  return withStep(state, stepOf(state, index, t.givenUnkeptComment, { unfinished }))
}

const unfinishedAt = ({ items, unfinished }: JudgingState, index: number): Unfinished =>
  unfinished[items[index]?.position ?? 0] ?? nothingUnfinished
