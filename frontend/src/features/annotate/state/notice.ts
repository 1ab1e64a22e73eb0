import { t } from '@/messages/annotate'
import type { OutboxState } from './outbox'
import type { Outgoing } from './outgoing'

/** A sentence about what is not at the server yet, and the ways on. The judgments are kept in every case. */
export interface Notice {
  text: string
  ways: readonly Way[]
}

export type Way = 'send' | 'take-back' | 'look' | 'leave' | 'sign-in'

/**
 * First what stops the work, then what the server refused, then that the session `hasEnded`; null if all is well.
 * `onDesk` is the HIT in sight.
 */
export function noticeFor(
  { waiting, refused, obstacle }: OutboxState,
  onDesk: string | null,
  hasEnded = false,
): Notice | null {
  if (obstacle) {
    const ofDesk: Way[] = waiting.some(({ assignmentId }) => assignmentId === onDesk) ? ['take-back'] : []
    const kept = keptWords(waiting)
    if (obstacle.isSignedOut) return { text: t.signedOutKept({ kept }), ways: ['sign-in'] }
    const when = obstacle.isOffline ? t.sentWhenBack : t.sentSoon
    const text = `${obstacle.isOffline ? t.youAreOffline : obstacle.message} ${kept} ${when}.${inTurn(waiting, onDesk)}`
    return { text, ways: ['send', ...ofDesk] }
  }
  const [first, ...others] = refused
  if (!first?.refusal) return hasEnded ? { text: t.sessionEnded, ways: ['sign-in'] } : null
  const isOnDesk = first.assignmentId === onDesk
  const more = others.length > 0 ? t.soWithOthers({ n: others.length }) : ''
  const text = `${isOnDesk ? t.thisNotTaken : t.oneNotTaken} ${reasonOf(first)} ${keptWords([first])}.${more}`
  return { text, ways: isOnDesk ? ['look', 'leave'] : ['look'] }
}

function keptWords(all: readonly Outgoing[]): string {
  const n = all.reduce((sum, { judgments }) => sum + judgments.length, 0)
  return t.keptHere({ n })
}

/** How those that wait stand to each other and to the one in sight. */
function inTurn(waiting: readonly Outgoing[], onDesk: string | null): string {
  const isOnDesk = waiting.some(({ assignmentId }) => assignmentId === onDesk)
  if (waiting.length > 1) return isOnDesk ? t.sentAfterBefore : t.sentInOrder
  return isOnDesk ? '' : t.goOnWithThis
}

const closed = {
  already_submitted: t.submittedBefore,
  already_skipped: t.leftBefore,
  already_returned: t.givenBackBefore,
}

/** Why the server does not take it, as a sentence. */
export function reasonOf({ refusal }: Outgoing): string {
  if (!refusal) return ''
  if (refusal.code in closed) return closed[refusal.code as keyof typeof closed]
  if (refusal.status === 403 || refusal.status === 404) return t.notOpenToYou
  return refusal.message
}
