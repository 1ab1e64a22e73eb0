import { api, unwrap } from '@/lib/api/client'
import type { Assignment } from '@/lib/api/contract'

/** One of the person's own HITs, with what they said of it where it is submitted. */
export const getAssignment = (id: string): Promise<Assignment> =>
  unwrap(api.GET('/api/v1/assignments/{assignment_id}', { params: { path: { assignment_id: id } } }))
