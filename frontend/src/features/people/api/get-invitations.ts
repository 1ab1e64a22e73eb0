import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

/** Everything about the links of a project: each change of one makes all of it old. */
export const invitationsKey = (slug: string) => ['project', slug, 'invitations'] as const

const getInvitations = (slug: string, batch?: number, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/invitations', {
      params: { path: { slug }, query: { limit: 50, ...(batch && { batch }), ...(cursor && { cursor }) } },
    }),
  )

const invitationsQuery = (slug: string, batch?: number) =>
  infiniteQueryOptions({
    queryKey: [...invitationsKey(slug), 'list', batch],
    queryFn: ({ pageParam }) => getInvitations(slug, batch, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

/** All links of a project, or those of one batch. */
export function useInvitations(slug: string, batch?: number) {
  return useInfiniteQuery(invitationsQuery(slug, batch))
}
