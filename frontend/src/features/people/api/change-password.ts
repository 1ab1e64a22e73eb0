import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api/client'
import { tokensQuery } from './get-tokens'

export interface PasswordChange {
  current: string
  new: string
  revoke_tokens: boolean
}

export function useChangePassword() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: PasswordChange) => {
      await api.POST('/api/v1/me/password', { body })
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
    gcTime: 0,
  })
}
