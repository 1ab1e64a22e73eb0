import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/polysemy'

export const polysemyActions = [
  { id: 'polysemy.scale', name: t.changeScale, label: t.scale, keys: ['l'], scope: 'polysemy' },
] as const satisfies readonly ActionSpec[]
