import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/shell'

/** The verbs that are at hand on every page. */
export const shellActions = [
  { id: 'help.open', name: t.showKeys, label: t.keys, keys: ['?'], scope: 'global' },
  { id: 'palette.open', name: t.findCommand, label: t.commands, keys: ['Mod+k'], scope: 'global' },
  { id: 'go.projects', name: t.goToProjects, label: t.projects, keys: [], scope: 'global' },
  { id: 'go.profile', name: t.openProfile, label: t.profile, keys: [], scope: 'global' },
  { id: 'theme.next', name: t.changeTheme, label: t.theme, keys: [], scope: 'global' },
  { id: 'session.end', name: t.signOut, label: t.signOut, keys: [], scope: 'global' },
] as const satisfies readonly ActionSpec[]
