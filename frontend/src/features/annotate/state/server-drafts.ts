import type { Assignment } from '@/lib/api/contract'
import { getDraft, putDraft, type ServedDraft } from '../api/draft'
import { noteServed, recallDraft, saveDraft, savedAt } from './drafts'
import type { SavedWork } from './judging'
import { servedOf, workOf } from './served-draft'

/** Work in progress is kept at the server as well, a moment after the last change: for another machine. */

const quietMs = 2000
const patienceMs = 1500
const waiting = new Map<string, { draft: ServedDraft; timer: ReturnType<typeof setTimeout> }>()

/** Sends the work once nothing has changed for a while. */
export function sendDraftSoon(assignment: Assignment, work: SavedWork, now = Date.now()): void {
  const { id } = assignment
  // Of what was submitted before, only the changes are sent, as changes.
  if (assignment.submitted_at) return
  holdDraft(id)
  const timer = setTimeout(() => void send(id, false), quietMs)
  waiting.set(id, { draft: servedOf(assignment, work, now), timer })
}

/** What is submitted, or skipped, is no draft any more. */
export function holdDraft(id: string): void {
  clearTimeout(waiting.get(id)?.timer)
  waiting.delete(id)
}

/** Drops the drafts that wait, unsent. */
export function holdDrafts(): void {
  for (const id of waiting.keys()) holdDraft(id)
}

/** Sends what waits now, for the page is leaving or back on the network. */
export function sendDraftsNow(isLeaving: boolean): void {
  for (const id of waiting.keys()) void send(id, isLeaving)
}

async function send(id: string, isLeaving: boolean): Promise<void> {
  const found = waiting.get(id)
  if (!found || !navigator.onLine) return
  holdDraft(id)
  // It lies on this device in any case, and the next change sends it again.
  await putDraft(id, found.draft, isLeaving).then(
    () => noteServed(id, Date.parse(found.draft.saved_at)),
    () => undefined,
  )
}

/** The draft of a HIT the page opens with: this device's, or the server's where that is newer. */
export async function recallNewest(owner: string, assignment: Assignment): Promise<void> {
  const { id } = assignment
  const inTime = new Promise<null>((resolve) => setTimeout(() => resolve(null), patienceMs))
  const asked = Promise.race([getDraft(id).catch(() => null), inTime])
  const [served] = await Promise.all([asked, recallDraft(owner, id)])
  const work = served && workOf(served)
  const at = served ? Date.parse(served.saved_at) : 0
  if (!work || at <= savedAt(owner, id)) return
  saveDraft(owner, assignment, work, at)
  noteServed(id, at)
}
