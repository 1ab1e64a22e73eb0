import { labelLooksOf } from '@/components/ui/label-looks'
import type { AssignmentItem, JudgmentIn, Label } from '@/lib/api/contract'
import { type Edit, type Lens, lensInSentence } from '@/lib/judging/annotation-words'
import { t } from '@/messages/annotate'
import { firstOpen, isOfCaptions, itemName, whereAmI } from './places'
import {
  lastStep,
  leaveEdit,
  nextStep,
  putByComment,
  type Step,
  stepBack,
  stepForth,
  stepOf,
  type Steps,
  withStep,
} from './steps'
import {
  openEdit,
  type Unfinished,
  type UnfinishedByPosition,
  withoutUntouchedEdit,
  withUnfinished,
} from './unfinished'

/** One HIT's pairs being judged. Pure: the page, the keys and the drafts all go through `judgingReducer`. */
export interface JudgingState extends Steps {
  items: readonly AssignmentItem[]
  /** Position of an item -> what is said of it so far. */
  answers: Readonly<Record<number, Answer>>
  /** Position of an item -> what is being written of it. */
  unfinished: UnfinishedByPosition
  /** Index into `items`; `items.length` means every one is judged and none is open. */
  current: number
  /** The label just given, so that its key can answer; null after any other step. */
  given: Label | null
  /** The sentence for screen readers about what just happened. */
  said: string
}

/** What may be said of a pair besides its label. */
export interface Remarks {
  edits: readonly Edit[]
  /** In which way a good caption is good; none of any other. */
  lens: Lens | ''
  comment: string
  isGeneric: boolean
}

export interface Answer extends Remarks {
  /** Null while only remarks are made. */
  label: Label | null
  /** Milliseconds the pair was looked at before the label, with the page in front. */
  ms: number | null
  /** When the label was given, by this machine's clock. */
  at: string | null
}

export const noAnswer: Answer = { label: null, ms: null, at: null, edits: [], lens: '', comment: '', isGeneric: false }

/** A caption left open over lunch says no more than this; the server refuses times longer than a day. */
const longestMs = 3_600_000

/** How long it took and when it was, for the two events that give a label. */
export interface Clock {
  ms: number
  at: string
}

/** `index` names the pair that a dialog was opened for, whichever is open by the time it answers. */
export type JudgingEvent =
  | { type: 'judge'; label: Label; clock: Clock }
  | { type: 'lens'; lens: Lens | ''; clock: Clock; index?: number }
  | { type: 'remark'; change: Partial<Omit<Remarks, 'lens'>>; said: string; index?: number }
  | { type: 'write'; index: number; change: Partial<Unfinished> }
  /** The editor is left, and what was written with it; or a comment is put by, which was `comment` at the start. */
  | { type: 'leave-edit'; index: number }
  | { type: 'put-by-comment'; index: number; comment: string | null }
  | { type: 'move'; by: number }
  | { type: 'open'; index: number }
  | { type: 'undo' }
  | { type: 'redo' }

/** What a draft gives back. */
export interface SavedWork {
  answers: Readonly<Record<number, Answer>>
  current: number | null
  unfinished: UnfinishedByPosition
}

export function startJudging(items: readonly AssignmentItem[], saved: SavedWork | null): JudgingState {
  const answers = { ...answersOf(items), ...saved?.answers }
  const current = Math.min(saved?.current ?? firstOpen(items, answers, 0), items.length)
  const said = whereAmI(items, current)
  return { items, answers, unfinished: saved?.unfinished ?? {}, current, past: [], future: [], given: null, said }
}

/** What the server already holds, of a HIT that was submitted. */
function answersOf(items: readonly AssignmentItem[]): Record<number, Answer> {
  return Object.fromEntries(
    items.flatMap((item) => {
      if (!item.label) return []
      const { label, edits, lens, comment, is_generic: isGeneric } = item
      return [[item.position, { ...noAnswer, label, edits, lens: lens ?? '', comment, isGeneric }]]
    }),
  )
}

export function judgingReducer(state: JudgingState, event: JudgingEvent): JudgingState {
  switch (event.type) {
    case 'judge':
      return judge(state, event.label, event.clock)
    case 'lens':
      return giveLens(at(state, event.index), event.lens, event.clock)
    case 'remark':
      return remark(at(state, event.index), event.change, event.said)
    case 'write':
      return withUnfinished(state, event.index, event.change)
    case 'leave-edit':
      return leaveEdit(state, event.index)
    case 'put-by-comment':
      return putByComment(state, event.index, event.comment)
    case 'move':
      return open(state, state.current + event.by)
    case 'open':
      return open(state, event.index)
    case 'undo':
      return takeStep(state, lastStep(state), stepBack, t.undone)
    case 'redo':
      return takeStep(state, nextStep(state), stepForth, t.doneAgain)
  }
}

const at = (state: JudgingState, index = state.current): JudgingState =>
  index === state.current ? state : { ...withoutUntouchedEdit(state), current: index }

/** The answer to the open pair, or undefined while none is open. */
export function openAnswer({ items, answers, current }: JudgingState): Answer | undefined {
  const item = items[current]
  return item && (answers[item.position] ?? noAnswer)
}

function judge(state: JudgingState, label: Label, clock: Clock, lens?: Lens): JudgingState {
  const before = openAnswer(state)
  if (!before || openEdit(state)) return state
  const kept = label === 'good' ? before.lens : ''
  const after = { ...before, label, lens: lens ?? kept, ms: Math.min(Math.round(clock.ms), longestMs), at: clock.at }
  const given = labelLooksOf(isOfCaptions(state.items) ? 'captions_of_image' : 'images_of_query')[label].said
  const as = lens ? `${given}, ${lensInSentence(lens)}` : given
  const answered = withAnswer(state, after, t.judgedAs({ as }))
  const current = firstOpen(state.items, answered.answers, state.current + 1)
  const said = t.isJudged({
    state: itemName(state),
    current: state.current + 1,
    as,
    items: whereAmI(state.items, current),
  })
  return { ...answered, current, given: label, said }
}

/** A lens says in which way a caption is good: of one that is not judged so it says that as well. */
function giveLens(state: JudgingState, lens: Lens | '', clock: Clock): JudgingState {
  const before = openAnswer(state)
  if (!before) return state
  if (lens && before.label !== 'good') return judge(state, 'good', clock, lens)
  const said = lens ? t.lensIs({ lens: lensInSentence(lens) }) : t.lensTaken
  return {
    ...withAnswer(state, { ...before, lens }, lens ? t.givenLens({ lens: lensInSentence(lens) }) : t.leftWithoutLens),
    said,
  }
}

function remark(state: JudgingState, change: Partial<Remarks>, said: string): JudgingState {
  const before = openAnswer(state)
  if (!before) return state
  const finished = { ...(change.edits && { edit: null }), ...(change.comment !== undefined && { comment: null }) }
  const remarked = withAnswer(state, { ...before, ...change }, remarkName(change))
  return { ...withUnfinished(remarked, state.current, finished), said }
}

function remarkName({ edits, comment, isGeneric }: Partial<Remarks>): string {
  if (edits) return edits.length > 0 ? t.deedEdited : t.leftUnedited
  if (comment !== undefined) return comment ? t.commentedOn : t.leftWithoutComment
  return isGeneric ? t.deedMarkedGeneric : t.deedUnmarkedGeneric
}

function withAnswer(state: JudgingState, answer: Answer, deed: string): JudgingState {
  const item = state.items[state.current]
  if (!item) return state
  const change = { before: state.answers[item.position], after: answer }
  const answered = { ...state, answers: { ...state.answers, [item.position]: answer }, given: null }
  return withStep(answered, stepOf(state, state.current, deed, { answer: change }))
}

function open(state: JudgingState, index: number): JudgingState {
  const last = isComplete(state) ? state.items.length : state.items.length - 1
  const current = Math.max(0, Math.min(index, last))
  if (current === state.current) return state
  return { ...withoutUntouchedEdit(state), current, given: null, said: whereAmI(state.items, current) }
}

function takeStep(
  state: JudgingState,
  step: Step | undefined,
  take: (state: JudgingState, step: Step) => JudgingState,
  word: string,
): JudgingState {
  if (!step || openEdit(state)) return state
  const said = `${word}: ${step.name}. ${whereAmI(state.items, step.index)}`
  return { ...take(state, step), current: step.index, given: null, said }
}

export function countJudged({ items, answers }: JudgingState): number {
  return items.filter((item) => answers[item.position]?.label).length
}

export function isComplete(state: JudgingState): boolean {
  return countJudged(state) === state.items.length
}

/** What is sent: one judgment per position, in order; what was not said is left out. */
export function judgmentsOf({ items, answers }: JudgingState): JudgmentIn[] {
  return items.flatMap(({ position }) => {
    const answer = answers[position]
    return answer?.label ? [sent(position, answer.label, answer)] : []
  })
}

function sent(position: number, label: Label, answer: Answer): JudgmentIn {
  const { edits, lens, comment, isGeneric, ms, at } = answer
  return {
    position,
    label,
    lens,
    comment,
    is_generic: isGeneric,
    ...(ms !== null && { ms }),
    ...(at !== null && { client_at: at }),
    ...(edits.length > 0 && { edits: [...edits] }),
  }
}
