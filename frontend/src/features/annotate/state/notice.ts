import { plural } from '@/lib/format/numbers'
import type { OutboxState } from './outbox'
import type { Outgoing } from './outgoing'

/** A sentence about what is not at the server yet, and the ways on. The judgments are kept in every case. */
export interface Notice {
  text: string
  ways: readonly Way[]
}

export type Way = 'send' | 'take-back' | 'look' | 'leave' | 'sign-in'

/** What stands in the way first, then what was not taken; null while all goes well. `onDesk` is the HIT in sight. */
export function noticeFor({ waiting, refused, obstacle }: OutboxState, onDesk: string | null): Notice | null {
  if (obstacle) {
    const ofDesk: Way[] = waiting.some(({ assignmentId }) => assignmentId === onDesk) ? ['take-back'] : []
    const kept = keptWords(waiting)
    if (obstacle.isSignedOut) return { text: `You are signed out. ${kept}; sign in to send them.`, ways: ['sign-in'] }
    const when = obstacle.isOffline ? 'and will be sent when the connection is back' : 'and will be sent soon'
    const text = `${obstacle.isOffline ? 'You are offline.' : obstacle.message} ${kept} ${when}.${inTurn(waiting, onDesk)}`
    return { text, ways: ['send', ...ofDesk] }
  }
  const [first, ...others] = refused
  if (!first?.refusal) return null
  const isOnDesk = first.assignmentId === onDesk
  const more = others.length > 0 ? ` So it went with ${plural(others.length, 'other')}.` : ''
  const text = `${isOnDesk ? 'This one was not taken.' : 'One that you submitted was not taken.'} ${reasonOf(first)} ${keptWords([first])}.${more}`
  return { text, ways: isOnDesk ? ['look', 'leave'] : ['look'] }
}

function keptWords(all: readonly Outgoing[]): string {
  const n = all.reduce((sum, { judgments }) => sum + judgments.length, 0)
  return `Your ${plural(n, 'judgment')} ${n === 1 ? 'is' : 'are'} kept on this device`
}

/** How those that wait stand to each other and to the one in sight. */
function inTurn(waiting: readonly Outgoing[], onDesk: string | null): string {
  const isOnDesk = waiting.some(({ assignmentId }) => assignmentId === onDesk)
  if (waiting.length > 1) return isOnDesk ? ' This one is sent after the one before.' : ' They are sent in their order.'
  return isOnDesk ? '' : ' Go on with this one.'
}

const closed = {
  already_submitted: 'It was submitted before, perhaps in another tab. Nothing was counted twice.',
  already_skipped: 'It was left to others before, perhaps in another tab.',
  already_returned: 'It was given back before, perhaps in another tab.',
}

/** Why the server does not take it, as a sentence. */
export function reasonOf({ refusal }: Outgoing): string {
  if (!refusal) return ''
  if (refusal.code in closed) return closed[refusal.code as keyof typeof closed]
  if (refusal.status === 403 || refusal.status === 404) return 'It is no longer open to you.'
  return refusal.message
}
