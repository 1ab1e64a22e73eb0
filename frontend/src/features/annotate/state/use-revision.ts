import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Assignment, JudgmentIn } from '@/lib/api/contract'
import { useMe } from '@/lib/session/get-session'
import { t } from '@/messages/annotate'
import { getAssignment } from '../api/get-assignment'
import { forgetDraft } from './drafts'
import { useLastSent } from './last-sent'
import { changesOf, revise, revisedWords } from './revising'
import type { Desk } from './use-desk'

export interface Revision {
  /** Brings the HIT just sent back to the desk; null where none was sent from this page. */
  bringBack: (() => void) | null
  /** The one brought back, as the server holds it, with its own desk. */
  current: { assignment: Assignment; desk: Desk; leave: () => void } | null
}

const onItsWay = t.stillOnWay

/** A step back over a submit: the HIT that was sent last, to be judged anew. */
export function useRevision(slug: string): Revision {
  const lastSent = useLastSent(slug)
  const [isWanted, setWanted] = useState(false)
  const [assignment, setAssignment] = useState<Assignment | null>(null)
  const { mutate: fetch } = useMutation({
    mutationFn: getAssignment,
    onSuccess: setAssignment,
    onError: (error) => showToast(t.notBroughtBack({ message: asApiError(error).message }), 'bad'),
  })
  const bringBack = () => {
    if (lastSent?.hasArrived === false) showToast(onItsWay)
    setWanted(true)
  }
  const isDue = isWanted && lastSent?.hasArrived === true
  const id = lastSent?.id
  useEffect(() => {
    if (!isDue || id === undefined) return
    // eslint-disable-next-line react-hooks/set-state-in-effect -- The wish is met as soon as the HIT has arrived.
    setWanted(false)
    fetch(id)
  }, [isDue, id, fetch])
  const leave = () => setAssignment(null)
  const desk = useRevisionDesk(assignment, leave)
  return {
    bringBack: lastSent ? bringBack : null,
    current: assignment && { assignment, desk, leave: desk.takeNext },
  }
}

/** The desk under a HIT that was sent before: submitting sends what is said otherwise now, and gives way to the next. */
function useRevisionDesk(assignment: Assignment | null, leave: () => void): Desk {
  const owner = useMe()?.username ?? ''
  const { mutate, reset, isPending, error, variables } = useMutation({
    mutationFn: ({ id, changes }: { id: string; changes: JudgmentIn[] }) => revise(id, changes),
  })
  const close = () => {
    if (assignment) void forgetDraft(owner, assignment.id)
    reset()
    leave()
  }
  const send = (sent: { id: string; changes: JudgmentIn[] }) =>
    mutate(sent, {
      onSuccess: (revised) => {
        showToast(revisedWords(revised), revised.refusals.length > 0 ? 'bad' : 'neutral')
        close()
      },
    })
  return {
    submit: (judgments) => assignment && send({ id: assignment.id, changes: changesOf(assignment, judgments) }),
    isSending: isPending,
    failure: error && { error: asApiError(error), retry: () => send(variables) },
    takeNext: close,
    upcoming: null,
    isLastBecause: null,
  }
}
