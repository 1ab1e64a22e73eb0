import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { PastHit } from '@/lib/api/served'
import type { PastFilter } from '../state/past-filter'

const getPastWork = (slug: string, filter: PastFilter, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/past-work', {
      params: { path: { slug }, query: { ...filter, ...(cursor && { cursor }) } },
    }),
  )

/** What the person submitted, newest first, with the answers that they look for. */
export const pastWorkQuery = (slug: string, filter: PastFilter) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'past-work', 'list', filter],
    queryFn: ({ pageParam }) => getPastWork(slug, filter, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function usePastWork(slug: string, filter: PastFilter) {
  return useInfiniteQuery({ ...pastWorkQuery(slug, filter), placeholderData: keepPreviousData })
}

const getPastHit = (id: string): Promise<PastHit> =>
  unwrap(api.GET('/api/v1/assignments/{assignment_id}/past', { params: { path: { assignment_id: id } } }))

export const pastHitQuery = (slug: string, id: string) =>
  queryOptions({ queryKey: ['project', slug, 'past-work', 'one', id], queryFn: () => getPastHit(id) })

export function usePastHit(slug: string, id: string) {
  return useQuery(pastHitQuery(slug, id))
}
