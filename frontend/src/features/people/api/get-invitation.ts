import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const getInvitation = (token: string) => unwrap(api.GET('/api/v1/invitations/{token}', { params: { path: { token } } }))

const invitationQuery = (token: string) =>
  queryOptions({ queryKey: ['invitation', token], queryFn: () => getInvitation(token) })

export function useInvitation(token: string) {
  return useQuery(invitationQuery(token))
}
