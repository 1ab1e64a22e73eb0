import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import { reviewKey, soonWhileEmpty } from './cases'
import type { DisputeKind } from './shapes'

const getDisputes = (slug: string, kind: DisputeKind | undefined, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/review/disputes', {
      params: { path: { slug }, query: { ...(kind && { kind }), ...(cursor && { cursor }) } },
    }),
  )

/** Captions on which the answers, the result and a decision differ; the most divided first. */
export function useDisputes(slug: string, kind: DisputeKind | undefined) {
  return useInfiniteQuery({
    ...infiniteQueryOptions({
      queryKey: [...reviewKey(slug), 'disputes', kind ?? ''],
      queryFn: ({ pageParam }) => getDisputes(slug, kind, pageParam),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => cursorOf(page.next),
    }),
    refetchInterval: soonWhileEmpty,
  })
}

/** Where the browser gets all of them as a file. */
export const disputesFile = (slug: string, kind: DisputeKind | undefined): string =>
  `/api/v1/projects/${encodeURIComponent(slug)}/review/disputes?format=csv${kind ? `&kind=${kind}` : ''}`
