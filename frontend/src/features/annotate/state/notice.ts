import type { ApiError } from '@/lib/api/api-error'
import { plural } from '@/lib/format/numbers'

/** A sentence about what stopped the sending, and the one way on. The judgments are kept in every case. */
export interface Notice {
  text: string
  way: 'retry' | 'next' | 'sign-in' | 'leave'
  verb: string
}

const retry = { way: 'retry', verb: 'Send again' } as const

/** `isOnDesk` says whether it is the HIT in sight that could not be sent, or the one before it. */
export function noticeFor(error: ApiError, nJudged: number, isOnDesk = true): Notice {
  const notice = onDesk(error, nJudged)
  if (isOnDesk) return notice
  const verb = notice.way === 'next' ? 'Go on' : notice.verb
  return { ...notice, verb, text: `The one before could not be sent. ${notice.text}` }
}

const next = { way: 'next', verb: 'Take the next photograph' } as const

function onDesk(error: ApiError, nJudged: number): Notice {
  const work = `Your ${plural(nJudged, 'judgment')} ${nJudged === 1 ? 'is' : 'are'} kept on this device`
  if (error.isOffline)
    return { ...retry, text: `You are offline. ${work} and will be sent when the connection is back.` }
  if (error.isSignedOut) {
    return { way: 'sign-in', verb: 'Sign in', text: `You are signed out. ${work}; sign in to send them.` }
  }
  if (error.code === 'lease_expired') {
    return {
      ...next,
      text: `The time for this photograph ran out and it went back to the others. ${work} in case it returns to you.`,
    }
  }
  if (error.code === 'already_submitted') {
    return {
      ...next,
      text: 'This photograph was already submitted, perhaps in another tab. Nothing was counted twice.',
    }
  }
  if (error.isPassing) return { ...retry, text: `${error.message} ${work}.` }
  if (error.status === 409) return { ...next, text: `${error.message} ${work}.` }
  if (error.status === 403 || error.status === 404) {
    return { way: 'leave', verb: 'Go to your projects', text: `This photograph is no longer open to you. ${work}.` }
  }
  return { ...retry, text: `${error.message} ${work}.` }
}
