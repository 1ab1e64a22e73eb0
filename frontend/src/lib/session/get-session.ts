import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Me, Session } from '@/lib/api/contract'
import { forgetDeskOfOthers, orFromDesk } from '@/lib/store/kept-desk'
import { forgetServedDrafts } from '@/lib/store/served-drafts'
import { signedInAgain } from './ended-session'

export const getSession = (): Promise<Session> => unwrap(api.GET('/api/v1/session'))

/** Whoever was here stays, in this page's eyes, while they are asked to sign in again. */
async function keepSession(queryClient: QueryClient): Promise<Session> {
  const session = await orFromDesk(getSession, (desk) => desk.session)
  await forgetDeskOfOthers(session.user?.username)
  if (session.user) await forgetServedDrafts(session.user.username)
  const wasSignedIn = queryClient.getQueryData<Session>(['session'])?.user != null
  return !session.user && wasSignedIn && (await signedInAgain(false)) ? getSession() : session
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ client }) => keepSession(client),
  staleTime: 5 * 60_000,
})

export function useSession() {
  return useQuery(sessionQuery)
}

/** The signed-in person, or null while nobody is. */
export function useMe(): Me | null {
  return useSession().data?.user ?? null
}

/** The name of who is signed in, for what runs outside of components; empty while nobody is. */
export const usernameOf = (queryClient: QueryClient): string =>
  queryClient.getQueryData(sessionQuery.queryKey)?.user?.username ?? ''
