import { photoActions } from '@/components/photograph/photo-actions'
import { type LabelLooks, labelLooksOf } from '@/components/ui/label-looks'
import { perLooks } from '@/components/ui/label-words'
import type { ActionSpec } from '@/lib/actions/action'
import type { Label } from '@/lib/api/contract'
import { t } from '@/messages/review'

const decide = (looks: LabelLooks, label: Label) => ({
  name: t.decideAs({ label: looks[label].said }),
  label: looks[label].word,
})

/** The verbs of one open case, as fast as annotating: one key decides and the next case is there. */
const caseActionsOf = (looks: LabelLooks) =>
  [
    { id: 'review.good', ...decide(looks, 'good'), keys: ['g'], scope: 'review', decides: true },
    { id: 'review.bad', ...decide(looks, 'bad'), keys: ['b'], scope: 'review', decides: true },
    { id: 'review.unsure', ...decide(looks, 'unsure'), keys: ['u'], scope: 'review', decides: true },
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

export const caseActions = caseActionsOf(labelLooksOf('captions_of_image'))

/** The verbs of the queue, open case or not. */
export const queueActions = [
  { id: 'review.next', name: t.goNext, label: t.next, keys: ['n', 'j'], scope: 'review' },
  { id: 'review.previous', name: t.goPrevious, label: t.previous, keys: ['k'], scope: 'review' },
  { id: 'review.undo', name: t.undoLast, label: t.undo, keys: ['z'], scope: 'review', decides: true },
  { id: 'review.filter', name: t.goToFilters, label: t.filter, keys: ['/'], scope: 'review' },
  { id: 'review.close', name: t.goBack, label: t.back, keys: ['Escape'], scope: 'review' },
] as const satisfies readonly ActionSpec[]

/** What is alive with an open case: one list, so that a key that somebody chose has one owner. */
export const openCaseActions = perLooks((looks) => [...caseActionsOf(looks), ...queueActions, ...photoActions] as const)
