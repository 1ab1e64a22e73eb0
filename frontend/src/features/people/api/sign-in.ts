import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Role, Session } from '@/lib/api/contract'
import { sessionQuery } from '@/lib/session/get-session'
import { tellTabs } from '@/lib/tabs/news'

export interface Credentials {
  username: string
  password: string
}

/** Signs in, and tells the other tabs who works in this browser now. */
export const signIn = async (credentials: Credentials): Promise<Session> =>
  told(await unwrap(api.POST('/api/v1/session', { body: credentials })))

/** Signs in to the demo's account of this role; only a site in demo mode has it. */
export const signInToDemo = async (role: Role): Promise<Session> =>
  told(await unwrap(api.POST('/api/v1/session/demo', { body: { role } })))

function told(session: Session): Session {
  if (session.user) tellTabs({ kind: 'signed-in', username: session.user.username })
  return session
}

export const useSignIn = () => useEntering(signIn)

export const useSignInToDemo = () => useEntering(signInToDemo)

/** Whatever was cached belonged to somebody else, or to nobody. */
function useEntering<Wanted>(mutationFn: (wanted: Wanted) => Promise<Session>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (session) => {
      queryClient.clear()
      queryClient.setQueryData(sessionQuery.queryKey, session)
    },
  })
}
