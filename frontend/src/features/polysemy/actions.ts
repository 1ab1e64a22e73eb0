import type { ActionSpec } from '@/lib/actions/action'

/** Reading the curves radius by radius. */
export const polysemyActions = [
  { id: 'polysemy.next', name: 'Read the next radius', label: 'Next radius', keys: ['n', 'j'], scope: 'polysemy' },
  {
    id: 'polysemy.previous',
    name: 'Read the radius before',
    label: 'Radius before',
    keys: ['p', 'k'],
    scope: 'polysemy',
  },
  { id: 'polysemy.scale', name: 'Change the scale of the radius', label: 'Scale', keys: ['l'], scope: 'polysemy' },
] as const satisfies readonly ActionSpec[]
