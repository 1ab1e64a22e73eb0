import { type Observed, observed } from '@/lib/observed'

/**
 * A session that ends while somebody works. Requests that find it ended wait here until the person has signed in again
 * in the page as it stands, and go on then. Nobody is asked in the middle of their work: a key meant for the page would
 * land in the dialog.
 */

/**
 * `going`: nothing is wrong. `ended`: it is known, and nobody is asked yet. `asking`: somebody is asked to sign in.
 * `left`: they said not now.
 */
export type SessionState = 'going' | 'ended' | 'asking' | 'left'

type Waiting = (isBack: boolean) => void

const state = observed<SessionState>('going')
let waiting: readonly Waiting[] = []
let workers: readonly (() => boolean)[] = []

export const endedSession: Observed<SessionState> = state

/** Whether the page can ask somebody to sign in. */
export const isAttended = state.isObserved

/** For as long as `isAtWork`, only what the person does opens the dialog; gives the way to end that. */
export function keepFromAsking(isAtWork: () => boolean): () => void {
  workers = [...workers, isAtWork]
  return () => {
    workers = workers.filter((each) => each !== isAtWork)
  }
}

/**
 * Resolves once the person is signed in again; to false where nobody can be asked, or they said not now. What is not
 * `isDeed`, something that the person does, waits without a word while they are at work.
 */
export function signedInAgain(isDeed: boolean): Promise<boolean> {
  if (!isAttended() || state.snapshot() === 'left') return Promise.resolve(false)
  if (isDeed || !workers.some((isAtWork) => isAtWork())) state.set('asking')
  else noteEnded()
  return new Promise((resolve) => {
    waiting = [...waiting, resolve]
  })
}

/** Some request found the session ended; it does not matter to the request. */
export function noteEnded(): void {
  if (isAttended() && state.snapshot() === 'going') state.set('ended')
}

/** The person is back, or not now: whatever waits goes on, or gives up. */
export function endWaiting(isBack: boolean): void {
  const answered = waiting
  waiting = []
  state.set(isBack ? 'going' : 'left')
  answered.forEach((answer) => answer(isBack))
}

/** Asks somebody who was not asked yet, or said not now. */
export function askToSignIn(): void {
  if (state.snapshot() !== 'going') state.set('asking')
}
