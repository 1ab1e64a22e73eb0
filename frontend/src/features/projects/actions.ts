import type { ActionSpec } from '@/lib/actions/action'

/** The verbs of the project list. */
export const projectListActions = [
  { id: 'project.create', name: 'Start a project', label: 'Start a project', keys: ['n'], scope: 'projects' },
] as const satisfies readonly ActionSpec[]
