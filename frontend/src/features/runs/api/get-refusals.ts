import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const getRefusals = (runId: string, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/runs/{run_id}/refusals', {
      params: { path: { run_id: runId }, query: { limit: 100, ...(cursor && { cursor }) } },
    }),
  )

/** `nRefused` is part of the key: while an import runs, new refusals call for a new read. */
export const refusalsQuery = (runId: string, nRefused: number) =>
  infiniteQueryOptions({
    queryKey: ['run', runId, 'refusals', nRefused],
    queryFn: ({ pageParam }) => getRefusals(runId, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    placeholderData: (earlier) => earlier,
  })

export function useRefusals(runId: string, nRefused: number) {
  return useInfiniteQuery(refusalsQuery(runId, nRefused))
}
