import { type Observed, observed } from '@/lib/observed'

/**
 * A session that ends while somebody works. Requests that find it ended wait here until the person has signed in again
 * in the page as it stands, and go on then.
 */

/** `going`: nothing is wrong. `ended`: somebody is asked to sign in. `left`: they said not now. */
export type SessionState = 'going' | 'ended' | 'left'

type Waiting = (isBack: boolean) => void

const state = observed<SessionState>('going')
let waiting: readonly Waiting[] = []

export const endedSession: Observed<SessionState> = state

/** Whether the page can ask somebody to sign in. */
export const isAttended = state.isObserved

/** Resolves once the person is signed in again; to false where nobody can be asked, or they said not now. */
export function signedInAgain(): Promise<boolean> {
  if (!isAttended() || state.snapshot() === 'left') return Promise.resolve(false)
  state.set('ended')
  return new Promise((resolve) => {
    waiting = [...waiting, resolve]
  })
}

/** The person is back, or not now: whatever waits goes on, or gives up. */
export function endWaiting(isBack: boolean): void {
  const answered = waiting
  waiting = []
  state.set(isBack ? 'going' : 'left')
  answered.forEach((answer) => answer(isBack))
}

/** Asks somebody who said not now. */
export function askToSignIn(): void {
  if (state.snapshot() === 'left') state.set('ended')
}
