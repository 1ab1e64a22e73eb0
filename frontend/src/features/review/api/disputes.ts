import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import { reviewKey, soonWhileEmpty } from './cases'
import type { DisputeKind, DisputeOrder } from './shapes'

export interface DisputeFilter {
  kind: DisputeKind | undefined
  order: DisputeOrder
}

const getDisputes = (slug: string, { kind, order }: DisputeFilter, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/review/disputes', {
      params: { path: { slug }, query: { ...(kind && { kind }), order, ...(cursor && { cursor }) } },
    }),
  )

/** Captions on which the answers, the result and a decision differ. */
export function useDisputes(slug: string, filter: DisputeFilter) {
  return useInfiniteQuery({
    ...infiniteQueryOptions({
      queryKey: [...reviewKey(slug), 'disputes', filter],
      queryFn: ({ pageParam }) => getDisputes(slug, filter, pageParam),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => cursorOf(page.next),
    }),
    refetchInterval: soonWhileEmpty,
  })
}

/** Where the browser gets all of them as a file. */
export const disputesFile = (slug: string, { kind, order }: DisputeFilter): string =>
  `/api/v1/projects/${encodeURIComponent(slug)}/review/disputes?format=csv&order=${order}${kind ? `&kind=${kind}` : ''}`
