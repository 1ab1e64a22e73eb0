import {
  type CaseKind,
  type DisputeKind,
  type DisputeOrder,
  disputeKinds,
  disputeOrders,
  type ReasonCode,
  reasonCodes,
} from '../api/shapes'

/** What the address of the review page says: which view is open, and what its list is narrowed to. */
export const views = ['queue', 'disputes', 'gate', 'heads', 'rules'] as const
export type View = (typeof views)[number]

export const orders = ['priority', 'newest', 'entropy'] as const
export type Order = (typeof orders)[number]

export interface ReviewSearch {
  view?: View
  reason?: ReasonCode
  annotator?: number
  kind?: CaseKind
  order?: Order
  state?: 'done'
  case?: number
  dispute?: DisputeKind
  sort?: DisputeOrder
}

const known = <Each>(value: unknown, all: readonly Each[]): Each | undefined => all.find((each) => each === value)

const idOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined

/** Whatever somebody typed into the address: what is unknown is left out. */
export function asReviewSearch(typed: Readonly<Record<string, unknown>>): ReviewSearch {
  const found: ReviewSearch = {}
  const sort = known(typed.sort, disputeOrders)
  const view = known(typed.view, views)
  const reason = known(typed.reason, reasonCodes)
  const annotator = idOf(typed.annotator)
  const kind = known(typed.kind, ['pair', 'assignment'] as const)
  const order = known(typed.order, orders)
  const open = idOf(typed.case)
  const dispute = known(typed.dispute, disputeKinds)
  if (view && view !== 'queue') found.view = view
  if (reason) found.reason = reason
  if (annotator) found.annotator = annotator
  if (kind) found.kind = kind
  if (order && order !== 'priority') found.order = order
  if (typed.state === 'done') found.state = 'done'
  if (open) found.case = open
  if (dispute) found.dispute = dispute
  if (sort && sort !== 'entropy') found.sort = sort
  return found
}

/** What narrows the queue: the part of the address that its list is asked by. */
export interface QueueFilter {
  reason?: ReasonCode
  annotator?: number
  kind?: CaseKind
  order: Order
  state: 'open' | 'done'
}

export const filterOf = ({ reason, annotator, kind, order, state }: ReviewSearch): QueueFilter => ({
  order: order ?? 'priority',
  state: state ?? 'open',
  ...(reason && { reason }),
  ...(annotator && { annotator }),
  ...(kind && { kind }),
})
