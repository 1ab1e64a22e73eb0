import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { PastHit } from '@/lib/api/served'

const getPastWork = (slug: string, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/past-work', { params: { path: { slug }, query: { ...(cursor && { cursor }) } } }),
  )

/** What the person submitted, newest first. */
export const pastWorkQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'past-work', 'list'],
    queryFn: ({ pageParam }) => getPastWork(slug, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function usePastWork(slug: string) {
  return useInfiniteQuery(pastWorkQuery(slug))
}

const getPastHit = (id: string): Promise<PastHit> =>
  unwrap(api.GET('/api/v1/assignments/{assignment_id}/past', { params: { path: { assignment_id: id } } }))

export const pastHitQuery = (slug: string, id: string) =>
  queryOptions({ queryKey: ['project', slug, 'past-work', 'one', id], queryFn: () => getPastHit(id) })

export function usePastHit(slug: string, id: string) {
  return useQuery(pastHitQuery(slug, id))
}
