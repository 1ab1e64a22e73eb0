import { photoActions } from '@/components/photograph/photo-actions'
import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/review'

/** The verbs of one open case, as fast as annotating: one key decides and the next case is there. */
export const caseActions = [
  { id: 'review.good', name: t.decideGood, label: t.good, keys: ['g'], scope: 'review', decides: true },
  { id: 'review.bad', name: t.decideBad, label: t.bad, keys: ['b'], scope: 'review', decides: true },
  { id: 'review.unsure', name: t.decideUnsure, label: t.unsure, keys: ['u'], scope: 'review', decides: true },
  { id: 'review.edit', name: t.editCaption, label: t.withEdit, keys: ['e'], scope: 'review', decides: true },
  { id: 'review.accept', name: t.acceptMajority, label: t.accept, keys: ['a'], scope: 'review', decides: true },
  {
    id: 'review.accept-page',
    name: t.acceptWholePage,
    label: t.acceptPage,
    keys: ['Shift+a'],
    scope: 'review',
    decides: true,
  },
  { id: 'review.return', name: t.returnWithFeedback, label: t.returnIt, keys: ['r'], scope: 'review', decides: true },
  { id: 'review.more', name: t.askForMore, label: t.more, keys: ['d'], scope: 'review', decides: true },
  { id: 'review.dismiss', name: t.closeWithout, label: t.dismiss, keys: ['x'], scope: 'review', decides: true },
  { id: 'review.names', name: t.toggleNames, label: t.names, keys: ['h'], scope: 'review' },
  { id: 'review.down', name: t.goDown, label: t.down, keys: ['ArrowDown'], scope: 'review' },
  { id: 'review.up', name: t.goUp, label: t.up, keys: ['ArrowUp'], scope: 'review' },
] as const satisfies readonly ActionSpec[]

/** The verbs of the queue, open case or not. */
export const queueActions = [
  { id: 'review.next', name: t.goNext, label: t.next, keys: ['n', 'j'], scope: 'review' },
  { id: 'review.previous', name: t.goPrevious, label: t.previous, keys: ['k'], scope: 'review' },
  { id: 'review.undo', name: t.undoLast, label: t.undo, keys: ['z'], scope: 'review', decides: true },
  { id: 'review.filter', name: t.goToFilters, label: t.filter, keys: ['/'], scope: 'review' },
  { id: 'review.close', name: t.goBack, label: t.back, keys: ['Escape'], scope: 'review' },
] as const satisfies readonly ActionSpec[]

/** What is alive with an open case: one list, so that a key that somebody chose has one owner. */
export const openCaseActions = [...caseActions, ...queueActions, ...photoActions] as const
