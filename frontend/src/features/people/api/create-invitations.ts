import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { components } from '@/lib/api/schema'
import type { NewInvitation } from '@/lib/api/served'
import { invitationsKey } from './get-invitations'

export type InvitationWish = components['schemas']['InvitationBatchInRequest']

const createInvitations = async (slug: string, body: InvitationWish): Promise<NewInvitation[]> => {
  const made = await unwrap(
    api.POST('/api/v1/projects/{slug}/invitations/batch', { params: { path: { slug } }, body }),
  )
  return made.invitations
}

/** One link or several. The answer alone carries them. */
export function useCreateInvitations(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (wish: InvitationWish) => createInvitations(slug, wish),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitationsKey(slug) }),
    gcTime: 0,
  })
}
