import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const getPicks = (sampleId: number, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/samples/{sample_id}/picks', {
      params: { path: { sample_id: sampleId }, query: { limit: 20, ...(cursor && { cursor }) } },
    }),
  )

const picksQuery = (sampleId: number) =>
  infiniteQueryOptions({
    queryKey: ['sample', sampleId, 'picks'],
    queryFn: ({ pageParam }) => getPicks(sampleId, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: Infinity,
  })

/** The picked images in the order they were picked. */
export function usePicks(sampleId: number) {
  return useInfiniteQuery(picksQuery(sampleId))
}
