import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const getInbox = (slug: string, cursor?: string) =>
  unwrap(api.GET('/api/v1/projects/{slug}/inbox', { params: { path: { slug }, query: { ...(cursor && { cursor }) } } }))

/** What was written to the person, unread first. */
export const inboxQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'inbox', 'list'],
    queryFn: ({ pageParam }) => getInbox(slug, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useInbox(slug: string) {
  return useInfiniteQuery(inboxQuery(slug))
}
