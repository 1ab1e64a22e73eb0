import type { Assignment, Label } from '@/lib/api/contract'
import { type Answer, noAnswer, type SavedWork } from './judging'
import { nothingUnfinished, type Unfinished } from './unfinished'

/** Work not yet sent, kept in localStorage under its assignment: a lease that is given again is the same assignment. */
interface Draft {
  /** Whose work this is: on a shared machine one person's labels must never become another's. */
  owner: string
  assignmentId: string
  items: readonly KeptItem[]
  current: number
  savedAt: number
}

interface KeptItem {
  position: number
  text: string | null
  /** Left out of a pair of which nothing is kept yet. */
  answer?: Partial<Answer>
  unfinished?: Partial<Unfinished>
}

const prefix = 'connote.draft.'
const keepMs = 7 * 24 * 3_600_000
const labelNames: readonly (Label | null)[] = ['good', 'bad', 'unsure', null]

export function saveDraft(owner: string, assignment: Assignment, work: SavedWork, now = Date.now()): void {
  const items = assignment.items.flatMap<KeptItem>(({ position, text }) => {
    const answer = work.answers[position]
    const unfinished = work.unfinished[position]
    if (!answer && !unfinished) return []
    return [{ position, text, ...(answer && { answer }), ...(unfinished && { unfinished }) }]
  })
  const draft: Draft = { owner, assignmentId: assignment.id, items, current: work.current ?? 0, savedAt: now }
  write(prefix + assignment.id, JSON.stringify(draft))
}

export function loadDraft(owner: string, assignment: Assignment, now = Date.now()): SavedWork | null {
  const [draft] = parse(localStorage.getItem(prefix + assignment.id))
  if (draft?.owner !== owner || now - draft.savedAt >= keepMs) return null
  const items = stillTrue(draft, assignment)
  return { answers: answersOf(items), current: draft.current, unfinished: unfinishedOf(items) }
}

/** Only what was said of the very same text at the same place. */
function stillTrue(draft: Draft, assignment: Assignment): KeptItem[] {
  const texts = new Map(assignment.items.map(({ position, text }) => [position, text]))
  return draft.items.filter(({ position, text }) => texts.get(position) === text)
}

const answersOf = (items: readonly KeptItem[]): SavedWork['answers'] =>
  Object.fromEntries(items.flatMap(({ position, answer }) => (answer ? [[position, { ...noAnswer, ...answer }]] : [])))

const unfinishedOf = (items: readonly KeptItem[]): SavedWork['unfinished'] =>
  Object.fromEntries(
    items.flatMap(({ position, unfinished }) =>
      unfinished ? [[position, { ...nothingUnfinished, ...unfinished }]] : [],
    ),
  )

/** Once sent, the draft goes, and with it everything too old to matter. */
export function forgetDraft(owner: string, assignmentId: string, now = Date.now()): void {
  for (const draft of allDrafts()) {
    const isDone = draft.owner === owner && draft.assignmentId === assignmentId
    if (isDone || now - draft.savedAt >= keepMs) localStorage.removeItem(prefix + draft.assignmentId)
  }
}

/** A full or forbidden storage must not stop the work; the judgments stay in memory then. */
function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch (error) {
    console.warn('The draft could not be kept in this browser.', error)
  }
}

function allDrafts(): Draft[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => parse(localStorage.getItem(key)))
}

function parse(stored: string | null): Draft[] {
  try {
    const value: unknown = JSON.parse(stored ?? 'null')
    return isDraft(value) ? [value] : []
  } catch {
    return []
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const draft = value as Partial<Draft>
  return (
    typeof draft.owner === 'string' &&
    Array.isArray(draft.items) &&
    typeof draft.current === 'number' &&
    draft.items.every(isKeptItem)
  )
}

function isKeptItem(value: unknown): boolean {
  if (!isRecord(value) || !('position' in value)) return false
  const { answer, unfinished } = value
  return (answer === undefined || isAnswer(answer)) && (unfinished === undefined || isUnfinished(unfinished))
}

const isAnswer = (value: unknown) => isRecord(value) && labelNames.some((name) => name === value.label)

function isUnfinished(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { edit = null, comment = null } = value
  const isWriting = isRecord(edit) && typeof edit.text === 'string' && isRecord(edit.kinds)
  return (edit === null || isWriting) && (comment === null || typeof comment === 'string')
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
