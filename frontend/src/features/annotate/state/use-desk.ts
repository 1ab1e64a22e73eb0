import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { announce } from '@/components/ui/announcer-store'
import type { ApiError } from '@/lib/api/api-error'
import type { Assignment, JudgmentIn } from '@/lib/api/contract'
import type { Reason } from '@/lib/judging/annotation-words'
import { progressQuery } from '@/lib/project/get-progress'
import { tellTabs } from '@/lib/tabs/news'
import { t } from '@/messages/annotate'
import { useUpcomingAssignment } from '../api/get-next-assignment'
import { Hand } from './counter'
import { noteSent } from './last-sent'
import { outgoingOf } from './outgoing'
import { holdDraft } from './server-drafts'
import { useOutbox } from './use-outbox'

export interface Desk {
  /** Sends the judgments of the HIT on the desk; the next one stands there at once where it is in hand. */
  submit: (judgments: JudgmentIn[]) => void
  /** Whether the HIT on the desk is submitted and waits for the server. */
  isSending: boolean
  /** Puts the next HIT on the desk in place of one that was skipped. */
  takeNext: () => void
  /** The HIT in hand behind the one on the desk. */
  upcoming: Assignment | null
  /** Why no other comes after the one on the desk, where the project's rules say so. */
  isLastBecause: Reason | null
  /** The HIT on the desk is held no longer; others may take it. */
  hasRunOut?: boolean
  /** What stopped the changes to a HIT that was sent before. */
  failure?: { error: ApiError; retry: () => void } | null
}

/** The HIT on the desk, the one in hand behind it, and those on their way to the server. */
export function useDesk(slug: string, current: Assignment): Desk {
  const queryClient = useQueryClient()
  const hand = useMemo(() => new Hand(queryClient, slug), [queryClient, slug])
  const { outbox, state } = useOutbox()
  const found = useUpcomingAssignment(slug, current.id, state.waiting.length === 0).data
  const isSending = state.waiting.some(({ assignmentId }) => assignmentId === current.id)
  const submit = (judgments: JudgmentIn[]) => {
    const upcoming = hand.behind(current.id)
    holdDraft(current.id)
    noteSent(queryClient, slug, current.id)
    announce(t.submittedNth({ n: submittedToday(queryClient, slug) + state.waiting.length + 1 }))
    outbox.put(outgoingOf(outbox.owner, slug, current, judgments))
    if (upcoming) hand.putOnDesk({ assignment: upcoming, reason: null })
  }
  const isLastBecause = found && !found.assignment && isOfTheRules(found.reason) ? found.reason : null
  const takeNext = () => {
    holdDraft(current.id)
    tellTabs({ kind: 'done', owner: outbox.owner, assignmentId: current.id, how: 'skipped' })
    hand.moveOn()
  }
  return { submit, isSending, takeNext, upcoming: hand.behind(current.id), isLastBecause }
}

/** As many as the server has told of so far. */
const submittedToday = (queryClient: QueryClient, slug: string): number =>
  queryClient.getQueryData(progressQuery(slug).queryKey)?.mine.submitted_today ?? 0

const isOfTheRules = (reason: Reason | null): boolean => reason === 'paused' || reason === 'excluded'
