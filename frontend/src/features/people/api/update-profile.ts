import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { rememberMe } from '@/lib/session/update-preferences'

export interface Profile {
  display_name: string
  email: string
}

const updateProfile = (body: Profile) => unwrap(api.PATCH('/api/v1/me', { body }))

export function useUpdateProfile() {
  const queryClient = useQueryClient()
  return useMutation({ mutationFn: updateProfile, onSuccess: (user) => rememberMe(queryClient, user) })
}
