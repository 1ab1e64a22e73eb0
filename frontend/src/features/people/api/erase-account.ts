import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { membersQuery } from './get-members'

export function useEraseMe() {
  return useMutation({
    mutationFn: async (password: string) => {
      await api.POST('/api/v1/me/erase', { body: { password } })
    },
    gcTime: 0,
  })
}

export function useEraseMember(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ memberId, username }: { memberId: number; username: string }) =>
      unwrap(
        api.POST('/api/v1/projects/{slug}/members/{member_id}/erase', {
          params: { path: { slug, member_id: memberId } },
          body: { username },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: membersQuery(slug).queryKey }),
  })
}
