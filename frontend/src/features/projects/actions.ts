import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/projects'

/** The verbs of the project list. */
export const projectListActions = [
  { id: 'project.create', name: t.startProject, label: t.startProject, keys: ['n'], scope: 'projects' },
] as const satisfies readonly ActionSpec[]
