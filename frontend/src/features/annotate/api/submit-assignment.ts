import { useMutation } from '@tanstack/react-query'
import { ApiError } from '@/lib/api/api-error'
import { api, unwrap } from '@/lib/api/client'
import type { JudgmentIn, Submitted } from '@/lib/api/contract'
import { preloadAssignment } from '../state/preload-image'

export interface Submission {
  id: string
  judgments: JudgmentIn[]
  /** The same for every retry of the same judgments, so that the server takes them once. */
  idempotencyKey: string
  /** The HIT that stands on the desk already; the answer brings the one after it. */
  ahead: string | null
}

/** Sends the judgments and fetches the next HIT; without one in hand the answer waits a moment for its pictures. */
export async function submitAssignment({ id, judgments, idempotencyKey, ahead }: Submission): Promise<Submitted> {
  const answer = await unwrap(
    api.POST('/api/v1/assignments/{assignment_id}/submit', {
      params: { path: { assignment_id: id }, header: { 'Idempotency-Key': idempotencyKey } },
      body: { judgments, fetch_next: true, holding: ahead ? [ahead] : [] },
    }),
  )
  const decoded = answer.next && preloadAssignment(answer.next)
  if (!ahead) await decoded
  return answer
}

const quietRetries = 2

/** A stumbling server is asked again twice without a word; being offline is told at once. */
const shouldRetry = (failures: number, error: Error) =>
  failures < quietRetries && error instanceof ApiError && error.isPassing && !error.isOffline

export function useSubmitAssignment() {
  return useMutation({ mutationFn: submitAssignment, retry: shouldRetry, retryDelay: (n) => 400 * 2 ** n })
}
