import type { Assignment, Label } from '@/lib/api/contract'
import { shelf } from '@/lib/store/shelf'
import { type Answer, noAnswer, type SavedWork } from './judging'
import { nothingUnfinished, type Unfinished } from './unfinished'

/** Work not yet sent, kept under its assignment: a lease that is given again is the same assignment. */
interface Draft {
  /** Owner and assignment: on a shared machine one person's labels must never become another's. */
  id: string
  owner: string
  assignmentId: string
  items: readonly KeptItem[]
  current: number
  savedAt: number
  /** The server has it as it stands here, so that signing out may delete it. */
  isServed?: boolean
}

interface KeptItem {
  position: number
  text: string | null
  /** Left out of a pair of which nothing is kept yet. */
  answer?: Partial<Answer>
  unfinished?: Partial<Unfinished>
}

const keepMs = 7 * 24 * 3_600_000
const labelNames: readonly (Label | null)[] = ['good', 'bad', 'unsure', null]
const drafts = shelf<Draft>('drafts')
/** What was read or written in this page, so that a HIT is shown with its draft in the same frame. */
const inHand = new Map<string, Draft>()

const idOf = (owner: string, assignmentId: string) => `${owner} ${assignmentId}`

/** Fetches the draft of a HIT that will be shown. */
export async function recallDraft(owner: string, assignmentId: string): Promise<void> {
  const id = idOf(owner, assignmentId)
  const draft: unknown = await drafts.get(id)
  if (isDraft(draft)) inHand.set(id, draft)
  else inHand.delete(id)
}

export function saveDraft(owner: string, assignment: Assignment, work: SavedWork, now = Date.now()): void {
  const draft = draftOf(owner, assignment, work, now)
  inHand.set(draft.id, draft)
  void drafts.put(draft)
}

function draftOf(owner: string, assignment: Assignment, work: SavedWork, now: number): Draft {
  const items = assignment.items.flatMap<KeptItem>(({ position, text }) => {
    const answer = work.answers[position]
    const unfinished = work.unfinished[position]
    if (!answer && !unfinished) return []
    return [{ position, text, ...(answer && { answer }), ...(unfinished && { unfinished }) }]
  })
  const id = idOf(owner, assignment.id)
  return { id, owner, assignmentId: assignment.id, items, current: work.current ?? 0, savedAt: now }
}

/** The server has the draft as it was at `at`; a later change is not there yet. */
export function noteServed(assignmentId: string, at: number): void {
  for (const [id, draft] of inHand) {
    if (draft.assignmentId !== assignmentId || draft.savedAt > at) continue
    const served = { ...draft, isServed: true }
    inHand.set(id, served)
    void drafts.put(served)
  }
}

/** When the draft in hand was last changed, in ms; 0 where there is none. */
export const savedAt = (owner: string, assignmentId: string): number =>
  inHand.get(idOf(owner, assignmentId))?.savedAt ?? 0

/** The draft that was recalled, or written in this page. */
export function loadDraft(owner: string, assignment: Assignment, now = Date.now()): SavedWork | null {
  const draft = inHand.get(idOf(owner, assignment.id))
  if (!draft || now - draft.savedAt >= keepMs) return null
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

/** Once sent, the draft goes. */
export async function forgetDraft(owner: string, assignmentId: string): Promise<void> {
  const id = idOf(owner, assignmentId)
  inHand.delete(id)
  await drafts.drop(id)
}

/** What is too old to matter goes, whoever it belongs to, and what lies where drafts were kept before. */
export async function forgetOldDrafts(now = Date.now()): Promise<void> {
  Object.keys(localStorage)
    .filter((key) => key.startsWith('connote.draft.'))
    .forEach((key) => localStorage.removeItem(key))
  const old = (await drafts.all()).filter(({ savedAt }) => now - savedAt >= keepMs)
  for (const { id } of old) await drafts.drop(id)
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const draft = value as Partial<Draft>
  return Array.isArray(draft.items) && typeof draft.current === 'number' && draft.items.every(isKeptItem)
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
