import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Session } from '@/lib/api/contract'
import { sessionQuery } from '@/lib/session/get-session'
import { tellTabs } from '@/lib/tabs/news'

export interface Credentials {
  username: string
  password: string
}

/** Signs in, and tells the other tabs who works in this browser now. */
export async function signIn(credentials: Credentials): Promise<Session> {
  const session = await unwrap(api.POST('/api/v1/session', { body: credentials }))
  if (session.user) tellTabs({ kind: 'signed-in', username: session.user.username })
  return session
}

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
