import { api, beside, unwrap } from '@/lib/api/client'

/** Says that somebody is still at it; the answer is until when the HIT is held now. */
export async function sendHeartbeat(id: string): Promise<string> {
  const answer = await unwrap(
    api.POST('/api/v1/assignments/{assignment_id}/heartbeat', { ...beside, params: { path: { assignment_id: id } } }),
  )
  return answer.expires_at
}
