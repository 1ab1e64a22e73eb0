import type { ActionSpec } from '@/lib/actions/action'

/** The verbs of a release's page. */
export const releaseActions = [
  { id: 'release.list', name: 'Go back to the releases', label: 'Releases', keys: ['Escape'], scope: 'release' },
] as const satisfies readonly ActionSpec[]
