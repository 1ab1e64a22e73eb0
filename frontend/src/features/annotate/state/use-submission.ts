import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type ApiError, asApiError } from '@/lib/api/api-error'
import type { Assignment, JudgmentIn, NextAssignment, Submitted } from '@/lib/api/contract'
import { useMe } from '@/lib/session/get-session'
import { nextAssignmentQuery } from '../api/get-next-assignment'
import { progressQuery } from '../api/get-progress'
import { useSubmitAssignment } from '../api/submit-assignment'
import { forgetDraft } from './drafts'

export interface SubmissionState {
  submit: (judgments: JudgmentIn[]) => void
  isSending: boolean
  error: ApiError | null
  /** Leaves this photograph behind and asks the server for another. */
  takeNext: () => void
}

/** Sends one assignment's judgments and puts the next photograph in its place. */
export function useSubmission(slug: string, assignment: Assignment): SubmissionState {
  const queryClient = useQueryClient()
  const { mutate, isPending, error, variables } = useSubmitAssignment()
  const keyFor = useIdempotencyKey()
  const { queryKey } = nextAssignmentQuery(slug)
  const takeNext = () => void queryClient.resetQueries({ queryKey })
  const owner = useMe()?.username ?? ''
  const accept = ({ next, reason }: Submitted) => {
    forgetDraft(owner, assignment)
    void queryClient.invalidateQueries({ queryKey: progressQuery(slug).queryKey })
    queryClient.setQueryData<NextAssignment>(queryKey, { assignment: next, reason })
  }
  const submit = (judgments: JudgmentIn[]) =>
    mutate({ id: assignment.id, judgments, idempotencyKey: keyFor(judgments) }, { onSuccess: accept })
  const failure = error && asApiError(error)
  useWhenOnline(failure?.isOffline === true, () => variables && submit(variables.judgments))
  return { submit, isSending: isPending, error: failure, takeNext }
}

/** One key per content: a retry carries the old one, changed judgments get a new one. */
function useIdempotencyKey(): (judgments: JudgmentIn[]) => string {
  const last = useRef({ body: '', key: '' })
  return (judgments) => {
    const body = JSON.stringify(judgments)
    if (last.current.body !== body) last.current = { body, key: crypto.randomUUID() }
    return last.current.key
  }
}

/** Calls back when the browser says the network has returned, while somebody waits for it. */
function useWhenOnline(isWaiting: boolean, callback: () => void): void {
  const latest = useRef(callback)
  useEffect(() => {
    latest.current = callback
  })
  useEffect(() => {
    if (!isWaiting) return undefined
    const go = () => latest.current()
    window.addEventListener('online', go)
    return () => window.removeEventListener('online', go)
  }, [isWaiting])
}
