import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const getInvitations = (slug: string, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/invitations', {
      params: { path: { slug }, query: { limit: 50, ...(cursor && { cursor }) } },
    }),
  )

export const invitationsQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'invitations'],
    queryFn: ({ pageParam }) => getInvitations(slug, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useInvitations(slug: string) {
  return useInfiniteQuery(invitationsQuery(slug))
}
