import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const getCounts = (slug: string) =>
  unwrap(api.GET('/api/v1/projects/{slug}/feedback/counts', { params: { path: { slug } } }))

/** How much feedback is in each state, who wrote it and who got it. */
export const feedbackCountsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'feedback', 'counts'],
    queryFn: () => getCounts(slug),
    staleTime: 60_000,
  })

/** How many replies wait for a person who reviews; 0 for everybody else, who may not ask. */
export const useWaitingReplies = (slug: string, mayReview: boolean): number =>
  useQuery({ ...feedbackCountsQuery(slug), enabled: mayReview }).data?.n_waiting ?? 0
