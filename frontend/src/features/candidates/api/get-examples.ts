import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { withAskedAt } from '@/lib/api/asked'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import { t } from '@/messages/candidates'

// Of what a rule may have repaired only some are its own doing: a page is long, so that it shows a few.
const pageSize = 50

const getExamples = (slug: string, rule: string, source: string, cursor?: string) =>
  withAskedAt(
    unwrap(
      api.GET('/api/v1/projects/{slug}/funnel/{rule}', {
        params: { path: { slug, rule }, query: { limit: pageSize, source, ...(cursor && { cursor }) } },
      }),
    ),
  )

const examplesQuery = (slug: string, rule: string, source: string) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, t.examples, rule, source],
    queryFn: ({ pageParam }) => getExamples(slug, rule, source, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    // A list that is gone through stays as it is: rows that were decided would leave it.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export function useExamples(slug: string, rule: string, source: string) {
  return useInfiniteQuery(examplesQuery(slug, rule, source))
}
