import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Run } from '@/lib/api/served'
import { isLive } from '../state/run-looks'

export const getRun = (id: string): Promise<Run> =>
  unwrap(api.GET('/api/v1/runs/{run_id}', { params: { path: { run_id: id } } }))

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['run', id],
    queryFn: () => getRun(id),
    refetchInterval: ({ state }) => (state.data && isLive(state.data) ? 1000 : false),
  })

export function useRun(id: string) {
  return useQuery(runQuery(id))
}
