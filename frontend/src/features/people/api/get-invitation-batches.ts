import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import { invitationsKey } from './get-invitations'

const getInvitationBatches = (slug: string, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/invitations/batch', {
      params: { path: { slug }, query: { limit: 50, ...(cursor && { cursor }) } },
    }),
  )

const invitationBatchesQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: [...invitationsKey(slug), 'batches'],
    queryFn: ({ pageParam }) => getInvitationBatches(slug, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

/** Links that were made at once, with the number in each state. */
export function useInvitationBatches(slug: string) {
  return useInfiniteQuery(invitationBatchesQuery(slug))
}
