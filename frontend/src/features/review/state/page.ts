import type { Label } from '@/lib/api/contract'
import type { Detail, Item, Pair } from '../api/shapes'

/** The page of one annotator while it is looked through: which pair is large, what was looked at, what is corrected. */
export interface PageState {
  at: number
  /** By candidate. */
  checked: readonly number[]
  corrections: Readonly<Record<number, Item>>
}

export const pageStart: PageState = { at: 0, checked: [], corrections: {} }

export type PageStep =
  | { kind: 'go'; to: number }
  | { kind: 'accept'; candidate: number; n: number }
  | { kind: 'correct'; item: Item; n: number }
  | { kind: 'back'; n: number }

export function pageReducer(state: PageState, step: PageStep): PageState {
  switch (step.kind) {
    case 'go':
      return { ...state, at: step.to }
    case 'accept':
      return onward(
        check({ ...state, corrections: withoutKey(state.corrections, step.candidate) }, step.candidate),
        step.n,
      )
    case 'correct':
      return onward(
        check(
          { ...state, corrections: { ...state.corrections, [step.item.candidate]: step.item } },
          step.item.candidate,
        ),
        step.n,
      )
    case 'back':
      return { ...state, at: Math.max(0, Math.min(state.at - 1, step.n - 1)) }
  }
}

const check = (state: PageState, candidate: number): PageState => ({
  ...state,
  checked: [...state.checked.filter((each) => each !== candidate), candidate],
})

const onward = (state: PageState, n: number): PageState => ({ ...state, at: Math.min(state.at + 1, n - 1) })

const withoutKey = (all: PageState['corrections'], key: number): PageState['corrections'] =>
  Object.fromEntries(Object.entries(all).filter(([each]) => Number(each) !== key))

/** What the person whose page it is says of this pair. */
export const ownLabel = (pair: Pair, annotator: number | undefined): Label | null =>
  (pair.answers.find((answer) => answer.annotator.id === annotator) ?? pair.answers[0])?.label ?? null

export const correctionsOf = ({ corrections }: PageState): Item[] => Object.values(corrections)

/** Test questions are graded already: they are not decided on. */
export const isAllChecked = (detail: Detail, { checked }: PageState): boolean =>
  detail.pairs.every((pair) => pair.is_control || checked.includes(pair.candidate))
