import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { ReleaseCaption, ReleaseEntry } from '@/lib/api/served'
import { keyOf, type ReleaseSource } from './source'

/** What one caption of an image must be like; a value that is missing asks nothing. */
export interface EntryFilter {
  difficulty?: ReleaseCaption['difficulty']
  lens?: ReleaseCaption['lenses'][number]
  source?: string
  split?: Exclude<ReleaseEntry['split'], ''>
  min_agreement?: number
}

const getEntries = (source: ReleaseSource, filter: EntryFilter, cursor?: string) => {
  const query = { limit: 30, ...filter, ...(cursor && { cursor }) }
  return source.kind === 'member'
    ? unwrap(api.GET('/api/v1/releases/{release_id}/entries', { params: { path: { release_id: source.id }, query } }))
    : unwrap(api.GET('/api/v1/public/releases/{token}/entries', { params: { path: { token: source.token }, query } }))
}

export const entriesQuery = (source: ReleaseSource, filter: EntryFilter) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(source), 'entries', filter],
    queryFn: ({ pageParam }) => getEntries(source, filter, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    // Fixed rows; only the links of their pictures grow old, after hours.
    staleTime: 30 * 60_000,
    refetchOnWindowFocus: false,
  })

export function useEntries(source: ReleaseSource, filter: EntryFilter) {
  return useInfiniteQuery(entriesQuery(source, filter))
}
