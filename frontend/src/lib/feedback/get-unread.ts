import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const minute = 60_000

const getUnread = (slug: string) =>
  unwrap(api.GET('/api/v1/projects/{slug}/inbox/unread', { params: { path: { slug } } }))

/** How many remarks wait for the person; asked for with a page, never while judging. */
export const unreadQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'inbox', 'unread'], queryFn: () => getUnread(slug), staleTime: minute })

/** 0 until it is known, and where it cannot be had: the work does not need it. */
export function useUnread(slug: string): number {
  return useQuery(unreadQuery(slug)).data?.n_unread ?? 0
}
