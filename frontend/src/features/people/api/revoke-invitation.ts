import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api/client'
import { invitationsKey } from './get-invitations'

export function useRevokeInvitation(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (invitationId: number) => {
      await api.DELETE('/api/v1/projects/{slug}/invitations/{invitation_id}', {
        params: { path: { slug, invitation_id: invitationId } },
      })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationsKey(slug) }),
  })
}
