import type { QueryClient } from '@tanstack/react-query'
import { showToast } from '@/components/ui/toast-store'
import type { Assignment, NextAssignment } from '@/lib/api/contract'
import { renewProgress } from '@/lib/project/get-progress'
import { tellTabs } from '@/lib/tabs/news'
import { t } from '@/messages/annotate'
import { nextAssignmentQuery, upcomingAssignmentQuery } from '../api/get-next-assignment'
import { forgetDraft, recallDraft } from './drafts'
import { noteArrived } from './last-sent'
import type { Counter, Outbox } from './outbox'
import { isOverdue, type Outgoing } from './outgoing'

const surplusWords = t.keptAsSurplus
const inTimeWords = t.lateButCounts

/** The HITs in hand on this page: the one on the desk and the one behind it. They live in the queries' cache. */
export class Hand {
  readonly #queryClient: QueryClient
  readonly #slug: string

  constructor(queryClient: QueryClient, slug: string) {
    this.#queryClient = queryClient
    this.#slug = slug
  }

  get onDesk(): Assignment | null {
    return this.#queryClient.getQueryData(nextAssignmentQuery(this.#slug).queryKey)?.assignment ?? null
  }

  /** The one in hand behind another; one that lay there until its time ran out may be somebody else's by now. */
  behind(current: string): Assignment | null {
    const found = this.#queryClient.getQueryData(upcomingAssignmentQuery(this.#slug, current).queryKey)?.assignment
    return found && Date.parse(found.expires_at) > Date.now() ? found : null
  }

  putOnDesk(next: NextAssignment): void {
    this.#queryClient.setQueryData<NextAssignment>(nextAssignmentQuery(this.#slug).queryKey, next)
  }

  putBehind(current: string, next: NextAssignment): void {
    this.#queryClient.setQueryData<NextAssignment>(upcomingAssignmentQuery(this.#slug, current).queryKey, next)
  }

  /** Puts the HIT in hand on the desk, or asks the server for one. */
  moveOn(): void {
    const upcoming = this.onDesk && this.behind(this.onDesk.id)
    if (upcoming) this.putOnDesk({ assignment: upcoming, reason: null })
    else void this.#queryClient.resetQueries({ queryKey: nextAssignmentQuery(this.#slug).queryKey })
  }
}

/** What each submission brings along, and where it goes. */
export function counterOf(queryClient: QueryClient, slug: string, outbox: Outbox): Counter {
  const hand = new Hand(queryClient, slug)
  const isWaiting = (id: string) => outbox.snapshot().waiting.some(({ assignmentId }) => assignmentId === id)
  /** The HIT that stands on the desk when this one is gone. */
  const ahead = ({ assignmentId }: Outgoing) => {
    const { onDesk } = hand
    return onDesk && onDesk.id !== assignmentId ? onDesk : hand.behind(assignmentId)
  }
  return {
    wishFor: (outgoing) => {
      const next = ahead(outgoing)
      if (outgoing.slug !== slug || !hand.onDesk || (next && hand.behind(next.id))) return null
      const others = outbox.snapshot().waiting.map(({ assignmentId }) => assignmentId)
      const held = new Set([...(next ? [next.id] : []), ...others])
      held.delete(outgoing.assignmentId)
      return { holding: [...held], isAwaited: !next || isWaiting(next.id) }
    },
    accept: async (outgoing, answer, wish) => {
      await forgetDraft(outbox.owner, outgoing.assignmentId)
      tellTabs({ kind: 'done', owner: outbox.owner, assignmentId: outgoing.assignmentId, how: 'sent' })
      noteArrived(queryClient, outgoing.slug, outgoing.assignmentId)
      tellWhatBecameOf(outgoing, answer.is_late)
      void renewProgress(queryClient, outgoing.slug)
      if (outgoing.slug !== slug) return
      const found = { assignment: answer.next, reason: answer.reason }
      if (found.assignment) await recallDraft(outbox.owner, found.assignment.id)
      const next = ahead(outgoing)
      // What came along may be what the page had asked for apart, and has by now: it does not stand behind itself.
      const isAnother = found.assignment?.id !== next?.id
      // Neither a page nor why there is none: that is for `next` to say in a moment.
      const isSaid = (found.assignment ?? found.reason) !== null
      if (wish && next && isAnother && isSaid) hand.putBehind(next.id, found)
      if (hand.onDesk?.id === outgoing.assignmentId) {
        if (next) hand.putOnDesk({ assignment: next, reason: null })
        else if (wish && isSaid) hand.putOnDesk(found)
        else hand.moveOn()
      } else if (next && found.assignment && isAnother && isWaiting(next.id)) hand.putOnDesk(found)
    },
  }
}

/** Being late is told, whichever way it went. */
function tellWhatBecameOf(outgoing: Outgoing, isLate: boolean): void {
  if (isLate) showToast(surplusWords)
  else if (isOverdue(outgoing)) showToast(inTimeWords)
}
