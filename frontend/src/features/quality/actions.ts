import type { ActionSpec } from '@/lib/actions/action'

/** The verbs of the quality page; each is at hand on its own tab. */
export const qualityActions = [
  { id: 'quality.refresh', name: 'Refresh the figures', label: 'Refresh', keys: ['r'], scope: 'quality' },
] as const satisfies readonly ActionSpec[]

export const policyActions = [
  { id: 'policy.new', name: 'Write a new version', label: 'New version', keys: ['n'], scope: 'quality' },
] as const satisfies readonly ActionSpec[]

export const controlActions = [
  { id: 'control.add', name: 'Add a control', label: 'Add a control', keys: ['a'], scope: 'quality' },
  { id: 'control.import', name: 'Import controls from a file', label: 'Import', keys: [], scope: 'quality' },
] as const satisfies readonly ActionSpec[]
