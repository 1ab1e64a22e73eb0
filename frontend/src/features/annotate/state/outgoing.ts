import type { ErrorBody } from '@/lib/api/api-error'
import type { Assignment, JudgmentIn } from '@/lib/api/contract'
import { newKey } from '@/lib/store/new-key'
import type { Row } from '@/lib/store/shelf'

/** A HIT that was submitted, and of which the server has not said that it has it. */
export interface Outgoing extends Row {
  /** The idempotency key: the same for every try, so that the server takes it once. */
  id: string
  owner: string
  slug: string
  assignmentId: string
  /** Until when the HIT was held, as far as this page knew. */
  expiresAt: string
  judgments: readonly JudgmentIn[]
  /** What was judged, by position, so that one that is not taken can be looked at. */
  texts: Readonly<Record<number, string | null>>
  submittedAt: number
  /** Why the server does not take it; null while it waits to be sent. */
  refusal: Refusal | null
}

export type Refusal = Pick<ErrorBody, 'code' | 'message'> & { status: number }

export const outgoingOf = (
  owner: string,
  slug: string,
  assignment: Assignment,
  judgments: readonly JudgmentIn[],
): Outgoing => ({
  id: newKey(),
  owner,
  slug,
  assignmentId: assignment.id,
  expiresAt: assignment.expires_at,
  judgments,
  texts: Object.fromEntries(assignment.items.map(({ position, text }) => [position, text])),
  submittedAt: Date.now(),
  refusal: null,
})

/** Whether its time had run out before it was submitted. */
export const isOverdue = ({ expiresAt, submittedAt }: Outgoing): boolean => Date.parse(expiresAt) < submittedAt

export const byTime = (a: Outgoing, b: Outgoing): number => a.submittedAt - b.submittedAt
