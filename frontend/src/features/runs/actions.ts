import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/runs'

/** The verbs of the walk and of a run's page. */
export const walkActions = [
  { id: 'walk.next', name: t.startNext, label: t.startNext, keys: ['n'], scope: 'walk' },
] as const satisfies readonly ActionSpec[]

export const runActions = [
  { id: 'run.walk', name: t.backToWalk, label: t.walk, keys: ['Escape'], scope: 'run' },
] as const satisfies readonly ActionSpec[]
