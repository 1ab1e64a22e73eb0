import { useMutation } from '@tanstack/react-query'
import { api } from '@/lib/api/client'

export interface PasswordChange {
  current: string
  new: string
}

export function useChangePassword() {
  return useMutation({
    mutationFn: async (body: PasswordChange) => {
      await api.POST('/api/v1/me/password', { body })
    },
    gcTime: 0,
  })
}
