import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/polysemy'

/** Reading the curves radius by radius. */
export const polysemyActions = [
  { id: 'polysemy.next', name: t.readNext, label: t.nextRadius, keys: ['n', 'j'], scope: 'polysemy' },
  {
    id: 'polysemy.previous',
    name: t.readBefore,
    label: t.radiusBefore,
    keys: ['p', 'k'],
    scope: 'polysemy',
  },
  { id: 'polysemy.scale', name: t.changeScale, label: t.scale, keys: ['l'], scope: 'polysemy' },
] as const satisfies readonly ActionSpec[]
