import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Session } from '@/lib/api/contract'
import { useObserved } from '@/lib/observed'
import { onDemand } from '@/lib/on-demand'
import { endedSession, endWaiting } from '@/lib/session/ended-session'
import { getSession, sessionQuery, useMe } from '@/lib/session/get-session'
import { onNews } from '@/lib/tabs/news'

export const SignInDialog = onDemand(() => import('./sign-in-dialog').then((module) => module.SignInDialog))

const openAnotherPage = () => globalThis.location.assign('/')

/** A session that ended is begun again in place; if somebody else signs in, the page is theirs and starts afresh. */
export function SignInAgain({ startAfresh = openAnotherPage }: { startAfresh?: () => void }) {
  const queryClient = useQueryClient()
  const username = useMe()?.username
  const state = useObserved(endedSession)
  useEffect(
    () =>
      onNews((news) => {
        if (news.kind !== 'signed-in' || !username) return
        if (news.username === username) endWaiting(true)
        else startAfresh()
      }),
    [username, startAfresh],
  )
  if (state !== 'asking' || !username) return null
  const goOn = (session: Session) => {
    if (session.user?.username !== username) {
      startAfresh()
      return
    }
    queryClient.setQueryData(sessionQuery.queryKey, session)
    endWaiting(true)
  }
  // Perhaps another tab signed in meanwhile; and the answer brings the cookie that the form needs.
  const look = async () => {
    const session = await getSession()
    if (session.user) goOn(session)
  }
  return <SignInDialog username={username} onOpen={look} onSignedIn={goOn} onClose={() => endWaiting(false)} />
}
