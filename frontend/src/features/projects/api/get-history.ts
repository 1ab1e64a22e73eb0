import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { HistoryEntry } from '@/lib/api/served'

export type HistoryKind = HistoryEntry['kind']

const historyKey = (slug: string) => ['project', slug, 'history'] as const

const getHistory = (slug: string, kind: HistoryKind | null, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/history', {
      params: { path: { slug }, query: { ...(kind && { kind }), ...(cursor && { cursor }) } },
    }),
  )

const historyQuery = (slug: string, kind: HistoryKind | null) =>
  infiniteQueryOptions({
    queryKey: [...historyKey(slug), kind],
    queryFn: ({ pageParam }) => getHistory(slug, kind, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useHistory(slug: string, kind: HistoryKind | null) {
  return useInfiniteQuery(historyQuery(slug, kind))
}

const getEntry = (slug: string, id: number) =>
  unwrap(api.GET('/api/v1/projects/{slug}/history/{entry_id}', { params: { path: { slug, entry_id: id } } }))

/** One entry with all of its texts; read when somebody asks for it. */
export function useHistoryEntry(slug: string, id: number, isAsked: boolean) {
  return useQuery(
    queryOptions({
      queryKey: [...historyKey(slug), 'entry', id],
      queryFn: () => getEntry(slug, id),
      staleTime: Infinity,
      enabled: isAsked,
    }),
  )
}

/** Where the file of all these changes lies. */
export const historyFile = (slug: string, kind: HistoryKind | null): string =>
  `/api/v1/projects/${slug}/history?format=csv${kind ? `&kind=${kind}` : ''}`
