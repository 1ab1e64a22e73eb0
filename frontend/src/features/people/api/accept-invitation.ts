import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { components } from '@/lib/api/schema'
import { sessionQuery } from '@/lib/session/get-session'

/** Empty for who is signed in, else the account to make. */
export type NewAccount = components['schemas']['InvitationAcceptInRequest']

const acceptInvitation = (token: string, body: NewAccount) =>
  unwrap(api.POST('/api/v1/invitations/{token}/accept', { params: { path: { token } }, body }))

export function useAcceptInvitation(token: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (account: NewAccount) => acceptInvitation(token, account),
    onSuccess: ({ session }) => {
      queryClient.clear()
      queryClient.setQueryData(sessionQuery.queryKey, session)
    },
    gcTime: 0,
  })
}
