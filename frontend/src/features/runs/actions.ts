import type { ActionSpec } from '@/lib/actions/action'

/** The verbs of the walk and of a run's page. */
export const walkActions = [
  { id: 'walk.next', name: 'Start the next stage', label: 'Start the next stage', keys: ['n'], scope: 'walk' },
] as const satisfies readonly ActionSpec[]

export const runActions = [
  { id: 'run.walk', name: 'Go back to the walk', label: 'Walk', keys: ['Escape'], scope: 'run' },
] as const satisfies readonly ActionSpec[]
