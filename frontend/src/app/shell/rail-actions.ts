import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/navigation'

export const railActions = [
  { id: 'rail.toggle', name: t.toggleSidebar, label: t.sidebar, keys: ['Mod+b'], scope: 'global' },
] as const satisfies readonly ActionSpec[]
