import type { components } from '@/lib/api/schema'

/** The review queue as the server tells it, under the names this room uses. */
type Schemas = components['schemas']

export type Case = Schemas['ReviewCaseOut']
export type CaseKind = Case['kind']
export type Detail = Schemas['ReviewCaseDetailOut']
export type Pair = Schemas['ReviewPairOut']
export type Answer = Schemas['ReviewAnswerOut']
export type Person = Schemas['NamedPersonOut']
export type Picture = Schemas['ReviewImageOut']
export type Votes = Schemas['ReviewVotesOut']
export type Share = Schemas['ShareOut']
export type Counts = Schemas['ReviewCountsOut']
export type Decided = Schemas['CaseDecisionOut']
export type Dispute = Schemas['DisputeOut']
export type Waiting = Schemas['GateOut']
export type Heads = Schemas['HeadsOut']
export type HeadPair = Schemas['HeadPairOut']
export type ReviewSettings = Schemas['ReviewSettingsOut']
export type ReasonCode = Case['reasons'][number]['code']
export type ReasonTag = NonNullable<NonNullable<Pair['verdict']>['reason']>
export type DisputeKind = Dispute['kinds'][number]
export type DisputeOrder = (typeof disputeOrders)[number]
export type SentDecisions = Schemas['CaseDecisionsInRequest']
export type DecidedMany = Schemas['CaseDecisionsOut']
type SentDecision = Schemas['CaseDecisionInRequest']
type SentItem = NonNullable<SentDecision['items']>[number]
export type Confidence = 1 | 2 | 3

/** What is decided of one pair; what is left out is not said. */
export interface Item extends Partial<Omit<SentItem, 'label' | 'candidate'>> {
  candidate: number
  label: NonNullable<Pair['consensus']>
}

export interface Decision extends Partial<Omit<SentDecision, 'action' | 'items'>> {
  action: SentDecision['action']
  items?: readonly (Item | Pick<Item, 'candidate'>)[]
}

/** In the order of the chips: what waits for somebody first, what is drawn at random last. */
export const reasonCodes: readonly ReasonCode[] = [
  'reply',
  'rework_done',
  'disputed',
  'tie',
  'low_agreement',
  'second_look',
  'failed_control',
  'policy',
  'comment',
  'first_work',
  'too_generic',
  'edit',
  'sample',
]

export const disputeOrders = ['entropy', 'votes', 'newest'] as const

export const disputeKinds: readonly DisputeKind[] = [
  'tie',
  'verdict_against_majority',
  'consensus_against_verdict',
  'low_agreement',
]

/** Why a head annotator corrects an answer; 1 to 9 on the keyboard. */
export const reasonTags: readonly ReasonTag[] = [
  'wrong_object',
  'wrong_count',
  'wrong_attribute',
  'wrong_place',
  'figurative_allowed',
  'too_generic',
  'language',
  'guideline',
  'other',
]
