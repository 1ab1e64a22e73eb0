import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Run } from '@/lib/api/served'

export const cancelRun = (id: string): Promise<Run> =>
  unwrap(api.POST('/api/v1/runs/{run_id}/cancel', { params: { path: { run_id: id } } }))

export function useCancelRun(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => cancelRun(id),
    onSuccess: (run) => queryClient.setQueryData(['run', id], run),
  })
}
