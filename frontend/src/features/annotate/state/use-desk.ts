import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { showToast } from '@/components/ui/toast-store'
import { type ApiError, asApiError } from '@/lib/api/api-error'
import type { Assignment, JudgmentIn, NextAssignment, Submitted } from '@/lib/api/contract'
import { useMe } from '@/lib/session/get-session'
import { nextAssignmentQuery, upcomingAssignmentQuery, useUpcomingAssignment } from '../api/get-next-assignment'
import { progressQuery } from '../api/get-progress'
import { type Submission, useSubmitAssignment } from '../api/submit-assignment'
import { forgetDraft } from './drafts'
import { noteArrived, noteSent } from './last-sent'

export interface Desk {
  /** Sends the judgments of the HIT on the desk; the next one stands there at once where it is in hand. */
  submit: (judgments: JudgmentIn[]) => void
  /** Whether the HIT on the desk waits for the server: to be sent itself, or for the one before. */
  isSending: boolean
  /** What the server, or the way to it, said against the last submission. */
  failure: Failure | null
  retry: () => void
  /** Leaves a HIT that cannot be sent behind; its draft stays on this device. */
  letGo: () => void
  /** Puts the next HIT on the desk in place of one that was skipped. */
  takeNext: () => void
  /** The HIT in hand behind the one on the desk. */
  upcoming: Assignment | null
}

export interface Failure {
  error: ApiError
  nJudgments: number
  /** Whether it is the HIT on the desk, or the one before. */
  isOnDesk: boolean
}

const lateWords =
  'The time for that one had run out and somebody else had taken it. Your judgments are kept as surplus.'

/** The HIT on the desk, the one in hand behind it, and the one on its way to the server. */
export function useDesk(slug: string, current: Assignment): Desk {
  const queryClient = useQueryClient()
  const owner = useMe()?.username ?? ''
  const { mutate, reset, isPending, error, variables } = useSubmitAssignment()
  const keyFor = useIdempotencyKey()
  const [queued, setQueued] = useState<{ id: string; judgments: JudgmentIn[] } | null>(null)
  const found = useUpcomingAssignment(slug, current.id, !isPending && !error).data
  const upcoming = stillHeld(found?.assignment)
  const { queryKey } = nextAssignmentQuery(slug)
  const put = (next: NextAssignment) => queryClient.setQueryData<NextAssignment>(queryKey, next)

  const accept = ({ id, ahead }: Submission, answer: Submitted) => {
    forgetDraft(owner, id)
    noteArrived(queryClient, slug, id)
    if (answer.is_late) showToast(lateWords)
    void queryClient.invalidateQueries({ queryKey: progressQuery(slug).queryKey })
    const next = { assignment: answer.next, reason: answer.reason }
    if (ahead) queryClient.setQueryData<NextAssignment>(upcomingAssignmentQuery(slug, ahead).queryKey, next)
    else put(next)
  }
  const send = (submission: Submission) => mutate(submission, { onSuccess: (answer) => accept(submission, answer) })
  const sendNow = (judgments: JudgmentIn[]) => {
    const idempotencyKey = keyFor(current.id, judgments)
    const ahead = upcoming?.id ?? null
    noteSent(queryClient, slug, current.id)
    send({ id: current.id, judgments, idempotencyKey, ahead })
    if (upcoming) put({ assignment: upcoming, reason: null })
  }
  const isBusy = isPending || (error !== null && variables.id !== current.id)
  const submit = (judgments: JudgmentIn[]) => (isBusy ? setQueued({ id: current.id, judgments }) : sendNow(judgments))
  useQueued(queued?.id === current.id && !isBusy, () => {
    setQueued(null)
    if (queued) sendNow(queued.judgments)
  })

  const failure = error ? failureOf(asApiError(error), variables, current) : null
  const retry = () => variables && send(variables)
  useWhenOnline(failure?.error.isOffline === true, retry)
  const takeNext = () => {
    if (upcoming) put({ assignment: upcoming, reason: null })
    else void queryClient.resetQueries({ queryKey })
  }
  const letGo = () => {
    reset()
    if (failure?.isOnDesk) takeNext()
  }
  const isSending = (isPending && variables.id === current.id) || queued?.id === current.id
  return { submit, isSending, failure, retry, letGo, takeNext, upcoming }
}

const failureOf = (error: ApiError, { id, judgments }: Submission, current: Assignment): Failure => ({
  error,
  nJudgments: judgments.length,
  isOnDesk: id === current.id,
})

/** One that lay in hand until its time ran out may be somebody else's by now: the server is asked again. */
const stillHeld = (assignment: Assignment | null | undefined): Assignment | null =>
  assignment && Date.parse(assignment.expires_at) > Date.now() ? assignment : null

/** One key per content: a retry carries the old one, changed judgments get a new one. */
function useIdempotencyKey(): (id: string, judgments: JudgmentIn[]) => string {
  const last = useRef({ body: '', key: '' })
  return (id, judgments) => {
    const body = JSON.stringify([id, judgments])
    if (last.current.body !== body) last.current = { body, key: crypto.randomUUID() }
    return last.current.key
  }
}

/** Sends what was submitted while the HIT before was still on its way, once that has arrived. */
function useQueued(isReady: boolean, sendQueued: () => void): void {
  const latest = useLatest(sendQueued)
  useEffect(() => {
    if (isReady) latest.current()
  }, [isReady, latest])
}

/** Calls back when the browser says the network has returned, while somebody waits for it. */
function useWhenOnline(isWaiting: boolean, callback: () => void): void {
  const latest = useLatest(callback)
  useEffect(() => {
    if (!isWaiting) return undefined
    const go = () => latest.current()
    window.addEventListener('online', go)
    return () => window.removeEventListener('online', go)
  }, [isWaiting, latest])
}

function useLatest<Value>(value: Value) {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
