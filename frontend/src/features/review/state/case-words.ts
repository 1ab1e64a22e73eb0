import type { Tone } from '@/components/ui/badge'
import { t } from '@/messages/review'
import type { Case, DisputeKind, DisputeOrder, ReasonCode, ReasonTag } from '../api/shapes'
import type { Order } from './search'

/** The short word on a chip, and the sentence that says why the case is here. */
export const reasonWords: Readonly<Record<ReasonCode, { chip: string; why: string }>> = {
  reply: { chip: t.reply, why: t.replyWhy },
  rework_done: { chip: t.reworkDone, why: t.reworkDoneWhy },
  disputed: { chip: t.disputed, why: t.disputedWhy },
  tie: { chip: t.tie, why: t.tieWhy },
  low_agreement: { chip: t.lowAgreement, why: t.lowAgreementWhy },
  second_look: { chip: t.secondLook, why: t.secondLookWhy },
  failed_control: { chip: t.failedControl, why: t.failedControlWhy },
  policy: { chip: t.byRules, why: t.byRulesWhy },
  comment: { chip: t.comment, why: t.commentWhy },
  first_work: { chip: t.firstWork, why: t.firstWorkWhy },
  too_generic: { chip: t.tooGeneric, why: t.tooGenericWhy },
  edit: { chip: t.edit, why: t.editWhy },
  sample: { chip: t.sample, why: t.sampleWhy },
}

/** Each code once: many comments on a pair are one reason to look at it. */
export const codesOf = ({ reasons }: Pick<Case, 'reasons'>): ReasonCode[] => [
  ...new Set(reasons.map(({ code }) => code)),
]

/** Somebody waits for an answer to these. */
const waitedFor: readonly ReasonCode[] = ['reply', 'rework_done']
export const reasonTone = (code: ReasonCode): Tone => (waitedFor.includes(code) ? 'accent' : 'neutral')

export const tagWords: Readonly<Record<ReasonTag, string>> = {
  wrong_object: t.wrongObject,
  wrong_count: t.wrongCount,
  wrong_attribute: t.wrongAttribute,
  wrong_place: t.wrongPlace,
  figurative_allowed: t.figurativeAllowed,
  too_generic: t.tooGeneric,
  language: t.languageTag,
  guideline: t.againstGuidelines,
  other: t.otherReason,
}

export const disputeWords: Readonly<Record<DisputeKind, string>> = {
  tie: t.disputeTie,
  verdict_against_majority: t.disputeVerdict,
  consensus_against_verdict: t.disputeResult,
  low_agreement: t.disputeLow,
}

export const orderWords: Readonly<Record<Order, string>> = {
  priority: t.byPriority,
  newest: t.byNewest,
  entropy: t.byEntropy,
}

export const disputeOrderWords: Readonly<Record<DisputeOrder, string>> = {
  entropy: t.byEntropy,
  votes: t.byVotes,
  newest: t.byNewest,
}

/** What a row of the queue says: the caption, the query of an image, or how long a task is. */
export function titleOf({ kind, text, query, n_pairs }: Pick<Case, 'kind' | 'text' | 'query' | 'n_pairs'>): string {
  if (kind === 'pair') return query ?? text
  return query === null ? t.pageOf({ n: n_pairs }) : t.pageOfImages({ n: n_pairs })
}
