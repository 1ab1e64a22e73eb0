import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const getRecords = (slug: string, cursor?: string) =>
  unwrap(api.GET('/api/v1/projects/{slug}/record', { params: { path: { slug }, query: cursor ? { cursor } : {} } }))

const recordsQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'record'],
    queryFn: ({ pageParam }) => getRecords(slug, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useRightsRecords(slug: string, isOpen: boolean) {
  return useInfiniteQuery({ ...recordsQuery(slug), enabled: isOpen })
}
