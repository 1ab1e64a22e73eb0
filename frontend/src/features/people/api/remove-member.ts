import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api/client'
import { membersQuery } from './get-members'

export function useRemoveMember(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (memberId: number) => {
      await api.DELETE('/api/v1/projects/{slug}/members/{member_id}', {
        params: { path: { slug, member_id: memberId } },
      })
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: membersQuery(slug).queryKey }),
  })
}
