import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Session } from '@/lib/api/contract'
import { sessionQuery } from '@/lib/session/get-session'

export interface NewAccount {
  username: string
  email: string
  password: string
}

export const signUp = (account: NewAccount): Promise<Session> => unwrap(api.POST('/api/v1/sign-up', { body: account }))

/** A new account is signed in at once. */
export function useSignUp() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: signUp,
    onSuccess: (session) => {
      queryClient.clear()
      queryClient.setQueryData(sessionQuery.queryKey, session)
    },
  })
}
