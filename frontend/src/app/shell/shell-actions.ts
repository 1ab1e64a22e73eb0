import type { ActionSpec } from '@/lib/actions/action'

/** The verbs that are at hand on every page. */
export const shellActions = [
  { id: 'help.open', name: 'Show the keys of this page', label: 'Keys', keys: ['?'], scope: 'global' },
  { id: 'palette.open', name: 'Find a command', label: 'Commands', keys: ['Mod+k'], scope: 'global' },
  { id: 'go.projects', name: 'Go to your projects', label: 'Projects', keys: [], scope: 'global' },
  { id: 'go.profile', name: 'Open your profile', label: 'Profile', keys: [], scope: 'global' },
  { id: 'theme.next', name: 'Change the theme', label: 'Theme', keys: [], scope: 'global' },
  { id: 'session.end', name: 'Sign out', label: 'Sign out', keys: [], scope: 'global' },
] as const satisfies readonly ActionSpec[]
