import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const getRuns = (slug: string, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/runs', {
      params: { path: { slug }, query: { limit: 20, ...(cursor && { cursor }) } },
    }),
  )

export const runsQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'runs'],
    queryFn: ({ pageParam }) => getRuns(slug, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useRuns(slug: string) {
  return useInfiniteQuery(runsQuery(slug))
}
