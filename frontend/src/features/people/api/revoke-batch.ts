import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api/client'
import { invitationsKey } from './get-invitations'

/** Withdraws all open links of a batch. */
export function useRevokeBatch(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (batchId: number) => {
      await api.DELETE('/api/v1/projects/{slug}/invitations/batch/{batch_id}', {
        params: { path: { slug, batch_id: batchId } },
      })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationsKey(slug) }),
  })
}
