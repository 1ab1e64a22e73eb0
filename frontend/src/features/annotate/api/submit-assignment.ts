import { api, unwrap } from '@/lib/api/client'
import type { Submitted } from '@/lib/api/contract'
import type { Outgoing } from '../state/outgoing'
import { preloadAssignment } from '../state/preload-assignment'

/** What a submission shall bring along. */
export interface Wish {
  /** What is in hand already: the answer is another HIT. */
  holding: readonly string[]
  /** Whether somebody sits before an empty desk: the answer waits a moment for its pictures. */
  isAwaited: boolean
}

/** Sends the judgments and, if wished for, fetches the next HIT with them. */
export async function submitAssignment(outgoing: Outgoing, wish: Wish | null): Promise<Submitted> {
  const { id, assignmentId, judgments } = outgoing
  const answer = await unwrap(
    api.POST('/api/v1/assignments/{assignment_id}/submit', {
      params: { path: { assignment_id: assignmentId }, header: { 'Idempotency-Key': id } },
      body: { judgments: [...judgments], fetch_next: wish !== null, holding: [...(wish?.holding ?? [])] },
    }),
  )
  const decoded = answer.next && preloadAssignment(answer.next)
  if (wish?.isAwaited) await decoded
  return answer
}
