import { useMutation } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Run } from '@/lib/api/served'

export const retryRun = (id: string): Promise<Run> =>
  unwrap(api.POST('/api/v1/runs/{run_id}/retry', { params: { path: { run_id: id } } }))

/** Resolves to the new run. */
export function useRetryRun(id: string) {
  return useMutation({ mutationFn: () => retryRun(id) })
}
