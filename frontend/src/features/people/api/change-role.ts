import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Role } from '@/lib/api/contract'
import { membersQuery } from './get-members'

export interface RoleChange {
  memberId: number
  role: Role
}

const changeRole = (slug: string, { memberId, role }: RoleChange) =>
  unwrap(
    api.PATCH('/api/v1/projects/{slug}/members/{member_id}', {
      params: { path: { slug, member_id: memberId } },
      body: { role },
    }),
  )

export function useChangeRole(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: RoleChange) => changeRole(slug, change),
    onSettled: () => queryClient.invalidateQueries({ queryKey: membersQuery(slug).queryKey }),
  })
}
