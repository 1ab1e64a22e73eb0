import { infiniteQueryOptions, type QueryClient, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, beside, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import { preloadImage } from '@/lib/images/preload-image'
import type { QueueFilter } from '../state/search'
import type { Case, Detail } from './shapes'

const minute = 60_000
const soon = 5000
const base = '/api/v1/projects/{slug}/review' as const

export const reviewKey = (slug: string) => ['project', slug, 'review'] as const

const getCases = (slug: string, filter: QueueFilter, cursor?: string) =>
  unwrap(api.GET(`${base}/cases`, { params: { path: { slug }, query: { ...filter, ...(cursor && { cursor }) } } }))

export const casesQuery = (slug: string, filter: QueueFilter) =>
  infiniteQueryOptions({
    queryKey: [...reviewKey(slug), 'cases', filter],
    queryFn: ({ pageParam }) => getCases(slug, filter, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

/** An empty list may be one that is being filled. */
export const soonWhileEmpty = ({ state }: { state: { data?: { pages: { results: unknown[] }[] } | undefined } }) =>
  state.data?.pages[0]?.results.length === 0 ? soon : minute

export function useCases(slug: string, filter: QueueFilter) {
  return useInfiniteQuery({
    ...casesQuery(slug, filter),
    refetchInterval: soonWhileEmpty,
  })
}

const getCase = (slug: string, case_id: number): Promise<Detail> =>
  unwrap(api.GET(`${base}/cases/{case_id}`, { params: { path: { slug, case_id } } }))

export const caseQuery = (slug: string, id: number) =>
  queryOptions({ queryKey: [...reviewKey(slug), 'case', id], queryFn: () => getCase(slug, id) })

/** The evidence of one case; the page shows what the list knows of it until it is here. */
export function useCase(slug: string, id: number) {
  return useQuery(caseQuery(slug, id))
}

/** Has the evidence and the photograph of a case in hand before it is asked for. */
export function prefetchCase(client: QueryClient, slug: string, next: Case): void {
  if (next.image) void preloadImage(next.image.thumbnail.large.url, 0)
  void client.query(caseQuery(slug, next.id)).catch(() => undefined)
}

/** Takes the case for ten minutes, so that no other head annotator decides it too. */
export const leaseCase = (slug: string, case_id: number): Promise<Detail> =>
  unwrap(api.POST(`${base}/cases/{case_id}/lease`, { ...beside, params: { path: { slug, case_id } } }))

export const releaseCase = (slug: string, case_id: number) =>
  unwrap(api.DELETE(`${base}/cases/{case_id}/lease`, { ...beside, params: { path: { slug, case_id } } }))
