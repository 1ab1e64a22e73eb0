import type { Assignment, Label } from '@/lib/api/contract'
import { type Answer, noAnswer, type SavedWork } from './judging'

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
  answer: Partial<Answer>
}

const prefix = 'connote.draft.'
const keepMs = 7 * 24 * 3_600_000
const labelNames: readonly (Label | null)[] = ['good', 'bad', 'unsure', null]

export function saveDraft(owner: string, assignment: Assignment, work: SavedWork, now = Date.now()): void {
  const items = assignment.items.flatMap(({ position, text }) => {
    const answer = work.answers[position]
    return answer ? [{ position, text, answer }] : []
  })
  const draft: Draft = { owner, assignmentId: assignment.id, items, current: work.current ?? 0, savedAt: now }
  write(prefix + assignment.id, JSON.stringify(draft))
}

export function loadDraft(owner: string, assignment: Assignment, now = Date.now()): SavedWork | null {
  const [draft] = parse(localStorage.getItem(prefix + assignment.id))
  if (draft?.owner !== owner || now - draft.savedAt >= keepMs) return null
  return { answers: answersOf(draft, assignment), current: draft.current }
}

/** Only what was said of the very same text at the same place. */
function answersOf(draft: Draft, assignment: Assignment): Record<number, Answer> {
  const kept = new Map(draft.items.map((item) => [item.position, item]))
  return Object.fromEntries(
    assignment.items.flatMap(({ position, text }) => {
      const item = kept.get(position)
      return item?.text === text ? [[position, { ...noAnswer, ...item.answer }]] : []
    }),
  )
}

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
  if (typeof value !== 'object' || value === null || !('position' in value) || !('answer' in value)) return false
  const { answer } = value
  if (typeof answer !== 'object' || answer === null) return false
  return 'label' in answer && labelNames.some((name) => name === answer.label)
}
