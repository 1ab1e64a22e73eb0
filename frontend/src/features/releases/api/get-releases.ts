import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const getReleases = (slug: string, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/releases', {
      params: { path: { slug }, query: { limit: 50, ...(cursor && { cursor }) } },
    }),
  )

export const releasesQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'releases'],
    queryFn: ({ pageParam }) => getReleases(slug, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useReleases(slug: string) {
  return useInfiniteQuery(releasesQuery(slug))
}
