import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/qualification'

/** The verbs of the page before the first HIT; the answers have the keys of the annotate page. */
export const qualifyActions = [
  {
    id: 'qualify.good',
    name: t.answerGood,
    label: t.good,
    keys: ['g', '1'],
    scope: 'qualify',
    decides: true,
  },
  { id: 'qualify.bad', name: t.answerBad, label: t.bad, keys: ['b', '2'], scope: 'qualify', decides: true },
  {
    id: 'qualify.unsure',
    name: t.answerUnsure,
    label: t.unsure,
    keys: ['u', '3'],
    scope: 'qualify',
    decides: true,
  },
  {
    id: 'qualify.next',
    name: t.goNextQuestion,
    label: t.goOn,
    keys: ['Enter'],
    scope: 'qualify',
    decides: true,
  },
] as const satisfies readonly ActionSpec[]

/** The one verb under the guidelines: Enter presses its button, and Space scrolls on. */
export const readActions = [
  { id: 'qualify.read', name: t.confirmRead, label: t.haveRead, keys: ['Enter'], scope: 'qualify-read', decides: true },
] as const satisfies readonly ActionSpec[]
