import { api, unwrap } from '@/lib/api/client'
import type { JudgmentIn } from '@/lib/api/contract'

/** Says anew what is said of one item of a HIT that was submitted: all of it, not only what changed. */
export const reviseJudgment = (id: string, { position, ...said }: JudgmentIn) =>
  unwrap(
    api.POST('/api/v1/assignments/{assignment_id}/judgments/{position}', {
      params: { path: { assignment_id: id, position } },
      body: said,
    }),
  )
