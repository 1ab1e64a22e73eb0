import type { Case, Counts, Detail } from '../api/shapes'

/**
 * What this head annotator decided since the page was opened. A case is gone from the list as soon as its key is
 * pressed; it comes back where the server refuses, and when the decision is undone.
 */
export interface Decisions {
  /** In the order of the keys. */
  past: readonly Decided[]
  /** Closed by somebody else: they do not come back. */
  closed: readonly number[]
}

export interface Decided {
  /** With its evidence, as it was before the decision. */
  case: Detail
  /** What was done, for the line that offers the undo. */
  words: string
  state: 'sending' | 'sent'
  /** Null until the server has answered, and where it cannot be undone. */
  token: string | null
}

export const noDecisions: Decisions = { past: [], closed: [] }

export type Step =
  | { kind: 'decided'; case: Detail; words: string }
  | { kind: 'sent'; id: number; token: string | null }
  | { kind: 'refused'; id: number; isClosed: boolean }
  | { kind: 'undone'; id: number }

export function decisionsReducer(state: Decisions, step: Step): Decisions {
  switch (step.kind) {
    case 'decided':
      return {
        ...state,
        past: [
          ...without(state.past, step.case.id),
          { case: step.case, words: step.words, state: 'sending', token: null },
        ],
      }
    case 'sent':
      return {
        ...state,
        past: state.past.map((each) =>
          each.case.id === step.id ? { ...each, state: 'sent', token: step.token } : each,
        ),
      }
    case 'refused':
      return {
        past: without(state.past, step.id),
        closed: step.isClosed ? [...state.closed, step.id] : state.closed,
      }
    case 'undone':
      return { ...state, past: without(state.past, step.id) }
  }
}

const without = (past: readonly Decided[], id: number) => past.filter((each) => each.case.id !== id)

/** What is left to do of what the server listed. A case that is there for a new reason is there again. */
export function leftOf(cases: readonly Case[], { past, closed }: Decisions): Case[] {
  const gone = new Map(past.map((each) => [each.case.id, newestReason(each.case)]))
  return cases.filter((each) => {
    if (closed.includes(each.id)) return false
    const then = gone.get(each.id)
    return then === undefined || newestReason(each) > then
  })
}

const newestReason = ({ reasons }: Case): number => Math.max(0, ...reasons.map(({ at }) => Date.parse(at)))

/** The case to show when `from` is decided or passed: the next one down, at the end the first. Null where none is left. */
export function nextOf(cases: readonly Case[], from: number | null): Case | null {
  const at = cases.findIndex((each) => each.id === from)
  const rest = [...cases.slice(at + 1), ...cases.slice(0, Math.max(at, 0))]
  return rest.find((each) => each.id !== from) ?? null
}

/** The case `by` rows away; the list ends at its ends. */
export function neighbourOf(cases: readonly Case[], from: number | null, by: 1 | -1): Case | null {
  const at = cases.findIndex((each) => each.id === from)
  if (at < 0) return cases[0] ?? null
  return cases[at + by] ?? null
}

/** The one that Z takes back: the last that can be, or is still on its way. */
export const lastUndoable = ({ past }: Decisions): Decided | null =>
  past.findLast((each) => each.state === 'sending' || each.token !== null) ?? null

/** The counts as they fall by a case that was just decided, and rise again where it comes back. */
export function countsWith(counts: Counts, { reasons, state }: Pick<Case, 'reasons' | 'state'>, by: 1 | -1): Counts {
  if (state !== 'open') return counts
  const by_reason = { ...counts.by_reason }
  for (const code of new Set(reasons.map((each) => each.code)))
    by_reason[code] = Math.max(0, (by_reason[code] ?? 0) + by)
  return { ...counts, open: Math.max(0, counts.open + by), by_reason }
}
