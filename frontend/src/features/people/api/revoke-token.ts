import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api/client'
import { tokensQuery } from './get-tokens'

export function useRevokeToken() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (tokenId: number) => {
      await api.DELETE('/api/v1/me/tokens/{token_id}', { params: { path: { token_id: tokenId } } })
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  })
}
