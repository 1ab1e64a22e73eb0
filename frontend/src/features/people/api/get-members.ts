import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const getMembers = (slug: string, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/members', {
      params: { path: { slug }, query: { limit: 100, ...(cursor && { cursor }) } },
    }),
  )

export const membersQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'members'],
    queryFn: ({ pageParam }) => getMembers(slug, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useMembers(slug: string) {
  return useInfiniteQuery(membersQuery(slug))
}
