import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { JudgedFilter } from '../state/judged-filter'

const getJudged = (slug: string, user_id: number, filter: JudgedFilter, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/annotators/{user_id}/judgments', {
      params: {
        path: { slug, user_id },
        query: {
          ...(filter.label && { label: filter.label }),
          ...(filter.isDisagreeing && { is_disagreeing: true }),
          ...(filter.isCommented && { is_commented: true }),
          ...(cursor && { cursor }),
        },
      },
    }),
  )

/** What one person judged, newest first, beside the votes of the others. */
export function useJudged(slug: string, annotator: number, filter: JudgedFilter) {
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['project', slug, 'remarks', 'judged', annotator, filter],
      queryFn: ({ pageParam }) => getJudged(slug, annotator, filter, pageParam),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => cursorOf(page.next),
    }),
  )
}
