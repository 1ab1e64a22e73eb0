import type { AssignmentItem, JudgmentIn, Label } from '@/lib/api/contract'

/** One photograph's captions being judged. Pure: the page, the keys and the drafts all go through `judgingReducer`. */
export interface JudgingState {
  items: readonly AssignmentItem[]
  /** Position of an item -> its label, once judged. */
  labels: Readonly<Record<number, Label>>
  /** Position of an item -> milliseconds it was looked at before the judgment. */
  ms: Readonly<Record<number, number>>
  /** Index into `items`; `items.length` means every caption is judged and none is open. */
  current: number
  past: readonly Step[]
  /** The label just given, so that its key can answer; null after any other step. */
  given: Label | null
  /** The sentence for screen readers about what just happened. */
  said: string
}

/** A caption left open over lunch says no more than this; the server refuses times longer than a day. */
const longestMs = 3_600_000

interface Step {
  index: number
  before: Label | undefined
}

export type JudgingEvent =
  | { type: 'judge'; label: Label; ms: number }
  | { type: 'move'; by: 1 | -1 }
  | { type: 'open'; index: number }
  | { type: 'undo' }

/** What a draft gives back; `current` is null when the captions returned in another order. */
export interface SavedWork {
  labels: Readonly<Record<number, Label>>
  ms: Readonly<Record<number, number>>
  current: number | null
}

export function startJudging(items: readonly AssignmentItem[], saved: SavedWork | null): JudgingState {
  const sent = Object.fromEntries(items.flatMap((item) => (item.label ? [[item.position, item.label]] : [])))
  const labels: Record<number, Label> = { ...sent, ...saved?.labels }
  const current = Math.min(saved?.current ?? firstOpen(items, labels, 0), items.length)
  return { items, labels, ms: saved?.ms ?? {}, current, past: [], given: null, said: '' }
}

export function judgingReducer(state: JudgingState, event: JudgingEvent): JudgingState {
  switch (event.type) {
    case 'judge':
      return judge(state, event.label, event.ms)
    case 'move':
      return open(state, state.current + event.by)
    case 'open':
      return open(state, event.index)
    case 'undo':
      return undo(state)
  }
}

function judge(state: JudgingState, label: Label, ms: number): JudgingState {
  const item = state.items[state.current]
  if (!item) return state
  const labels = { ...state.labels, [item.position]: label }
  const current = firstOpen(state.items, labels, state.current + 1)
  return {
    ...state,
    labels,
    ms: { ...state.ms, [item.position]: Math.min(Math.round(ms), longestMs) },
    current,
    past: [...state.past, { index: state.current, before: state.labels[item.position] }],
    given: label,
    said: `Caption ${state.current + 1} is ${label}. ${whereAmI(state.items, current)}`,
  }
}

function open(state: JudgingState, index: number): JudgingState {
  const last = isComplete(state) ? state.items.length : state.items.length - 1
  const current = Math.max(0, Math.min(index, last))
  return current === state.current ? state : { ...state, current, given: null, said: whereAmI(state.items, current) }
}

function undo(state: JudgingState): JudgingState {
  const step = state.past.at(-1)
  const item = step && state.items[step.index]
  if (!item) return state
  const labels = Object.fromEntries(Object.entries(state.labels).filter(([key]) => Number(key) !== item.position))
  if (step.before) labels[item.position] = step.before
  const said = `Undone. ${whereAmI(state.items, step.index)}`
  return { ...state, labels, current: step.index, past: state.past.slice(0, -1), given: null, said }
}

/** The next caption without a label from `from` on, round to the start; past the end when all have one. */
function firstOpen(items: readonly AssignmentItem[], labels: Readonly<Record<number, Label>>, from: number): number {
  const isOpen = (item: AssignmentItem | undefined) => item !== undefined && labels[item.position] === undefined
  for (let step = 0; step < items.length; step += 1) {
    const index = (from + step) % items.length
    if (isOpen(items[index])) return index
  }
  return items.length
}

function whereAmI(items: readonly AssignmentItem[], index: number): string {
  const item = items[index]
  if (!item) return `All ${items.length} captions are judged. Submit to go on.`
  return `Caption ${index + 1} of ${items.length}: ${item.text}`
}

export function countJudged({ items, labels }: JudgingState): number {
  return items.filter((item) => labels[item.position] !== undefined).length
}

export function isComplete(state: JudgingState): boolean {
  return countJudged(state) === state.items.length
}

/** What is sent: one judgment per position, in order. */
export function judgmentsOf({ items, labels, ms }: JudgingState): JudgmentIn[] {
  return items.flatMap(({ position }) => {
    const label = labels[position]
    const spent = ms[position]
    if (!label) return []
    return [{ position, label, ...(spent === undefined ? {} : { ms: spent }) }]
  })
}
