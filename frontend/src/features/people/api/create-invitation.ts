import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { components } from '@/lib/api/schema'
import { invitationsQuery } from './get-invitations'

export type InvitationWish = components['schemas']['InvitationInRequest']

const createInvitation = (slug: string, body: InvitationWish) =>
  unwrap(api.POST('/api/v1/projects/{slug}/invitations', { params: { path: { slug } }, body }))

/** The answer alone carries the link. */
export function useCreateInvitation(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (wish: InvitationWish) => createInvitation(slug, wish),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitationsQuery(slug).queryKey }),
    gcTime: 0,
  })
}
