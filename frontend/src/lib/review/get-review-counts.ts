import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const minute = 60_000

const getReviewCounts = (slug: string) =>
  unwrap(api.GET('/api/v1/projects/{slug}/review/counts', { params: { path: { slug } } }))

/** How much waits for a head annotator, by its reason. */
export const reviewCountsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'review', 'counts'],
    queryFn: () => getReviewCounts(slug),
    staleTime: minute / 2,
  })

/** Undefined until it is known, and for annotators, who do not review. */
export function useReviewCounts(slug: string, isReviewer = true) {
  return useQuery({ ...reviewCountsQuery(slug), enabled: isReviewer, refetchInterval: minute }).data
}
