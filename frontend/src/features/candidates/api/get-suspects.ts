import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { withAskedAt } from '@/lib/api/asked'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { SuspectFilter } from '../state/suspect-words'

const pageSize = 50

const getSuspects = (slug: string, filter: SuspectFilter, minCosine: number | null, cursor?: string) =>
  withAskedAt(
    unwrap(
      api.GET('/api/v1/projects/{slug}/suspects', {
        params: {
          path: { slug },
          query: {
            limit: pageSize,
            ...(filter !== 'all' && { decision: filter }),
            ...(minCosine !== null && { min_cosine: minCosine }),
            ...(cursor && { cursor }),
          },
        },
      }),
    ),
  )

const suspectsQuery = (slug: string, filter: SuspectFilter, minCosine: number | null) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'suspects', filter, minCosine],
    queryFn: ({ pageParam }) => getSuspects(slug, filter, minCosine, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    // A list that is gone through stays as it is: rows that were decided would leave it.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** `minCosine` leaves out those that look less alike; null leaves out none. */
export function useSuspects(slug: string, filter: SuspectFilter, minCosine: number | null = null) {
  return useInfiniteQuery({ ...suspectsQuery(slug, filter, minCosine), placeholderData: keepPreviousData })
}
