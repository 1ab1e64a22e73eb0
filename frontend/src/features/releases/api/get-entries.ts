import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const getEntries = (releaseId: string, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/releases/{release_id}/entries', {
      params: { path: { release_id: releaseId }, query: { limit: 30, ...(cursor && { cursor }) } },
    }),
  )

export const entriesQuery = (releaseId: string) =>
  infiniteQueryOptions({
    queryKey: ['release', releaseId, 'entries'],
    queryFn: ({ pageParam }) => getEntries(releaseId, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    // Frozen rows; only the links of their pictures grow old, after hours.
    staleTime: 30 * 60_000,
    refetchOnWindowFocus: false,
  })

export function useEntries(releaseId: string) {
  return useInfiniteQuery(entriesQuery(releaseId))
}
