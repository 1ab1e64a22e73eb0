import type { Assignment, Label } from '@/lib/api/contract'
import type { SavedWork } from './judging'

/**
 * Judgments not yet sent, kept in localStorage under their assignment. When a lease has run out and the same
 * captions come back under a new assignment, in whatever order, the draft is found again by its captions.
 */
interface Draft {
  /** Whose judgments these are: on a shared machine one person's labels must never become another's. */
  owner: string
  assignmentId: string
  items: readonly { text: string; label: Label | null; ms: number | null }[]
  current: number
  savedAt: number
}

const prefix = 'connote.draft.'
const keepMs = 7 * 24 * 3_600_000
const labelNames: readonly Label[] = ['good', 'bad', 'unsure']

export function saveDraft(owner: string, assignment: Assignment, work: SavedWork, now = Date.now()): void {
  const items = assignment.items.map(({ position, text }) => ({
    text,
    label: work.labels[position] ?? null,
    ms: work.ms[position] ?? null,
  }))
  const draft: Draft = { owner, assignmentId: assignment.id, items, current: work.current ?? 0, savedAt: now }
  write(prefix + assignment.id, JSON.stringify(draft))
}

export function loadDraft(owner: string, assignment: Assignment, now = Date.now()): SavedWork | null {
  const drafts = allDrafts().filter((draft) => draft.owner === owner && now - draft.savedAt < keepMs)
  const own = drafts.find((draft) => draft.assignmentId === assignment.id)
  const draft = own ?? drafts.find((candidate) => sameCaptions(candidate, assignment))
  return draft ? { ...workOf(draft, assignment), current: own ? own.current : null } : null
}

function workOf(draft: Draft, assignment: Assignment): Pick<SavedWork, 'labels' | 'ms'> {
  const labels: Record<number, Label> = {}
  const ms: Record<number, number> = {}
  for (const { position, text } of assignment.items) {
    const kept = draft.items.find((item) => item.text === text)
    if (kept?.label) labels[position] = kept.label
    if (kept?.ms != null) ms[position] = kept.ms
  }
  return { labels, ms }
}

/** Once sent, the draft goes, and with it everything too old to matter. */
export function forgetDraft(owner: string, assignment: Assignment, now = Date.now()): void {
  for (const draft of allDrafts()) {
    const isDone = draft.owner === owner && (draft.assignmentId === assignment.id || sameCaptions(draft, assignment))
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
  if (typeof value !== 'object' || value === null || !('text' in value) || !('label' in value)) return false
  return value.label === null || labelNames.some((name) => name === value.label)
}

const sorted = (items: readonly { text: string }[]) =>
  items
    .map((item) => item.text)
    .sort()
    .join('\n')

const sameCaptions = (draft: Draft, assignment: Assignment) => sorted(draft.items) === sorted(assignment.items)
