import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Session } from '@/lib/api/contract'
import { sessionQuery } from '@/lib/session/get-session'

export interface Credentials {
  username: string
  password: string
}

export const signIn = (credentials: Credentials): Promise<Session> =>
  unwrap(api.POST('/api/v1/session', { body: credentials }))

/** Whatever was cached belonged to somebody else, or to nobody. */
export function useSignIn() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: signIn,
    onSuccess: (session) => {
      queryClient.clear()
      queryClient.setQueryData(sessionQuery.queryKey, session)
    },
  })
}
