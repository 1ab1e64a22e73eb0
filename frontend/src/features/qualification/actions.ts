import type { ActionSpec } from '@/lib/actions/action'

/** The verbs of the page before the first HIT; the answers have the keys of the annotate page. */
export const qualifyActions = [
  {
    id: 'qualify.good',
    name: 'Answer that it is good',
    label: 'Good',
    keys: ['g', '1'],
    scope: 'qualify',
    decides: true,
  },
  { id: 'qualify.bad', name: 'Answer that it is bad', label: 'Bad', keys: ['b', '2'], scope: 'qualify', decides: true },
  {
    id: 'qualify.unsure',
    name: 'Answer that you are unsure',
    label: 'Unsure',
    keys: ['u', '3'],
    scope: 'qualify',
    decides: true,
  },
  {
    id: 'qualify.next',
    name: 'Go to the next question',
    label: 'Go on',
    keys: ['Enter'],
    scope: 'qualify',
    decides: true,
  },
] as const satisfies readonly ActionSpec[]
