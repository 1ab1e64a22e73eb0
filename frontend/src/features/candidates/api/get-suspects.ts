import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { SuspectFilter } from '../state/suspect-words'

const pageSize = 50

const getSuspects = (slug: string, filter: SuspectFilter, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/suspects', {
      params: {
        path: { slug },
        query: { limit: pageSize, ...(filter !== 'all' && { decision: filter }), ...(cursor && { cursor }) },
      },
    }),
  )

const suspectsQuery = (slug: string, filter: SuspectFilter) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'suspects', filter],
    queryFn: ({ pageParam }) => getSuspects(slug, filter, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useSuspects(slug: string, filter: SuspectFilter) {
  return useInfiniteQuery(suspectsQuery(slug, filter))
}
