import type { ActionSpec } from '@/lib/actions/action'

/** Moving about the map of a sample; the arrows work once the map has the focus, before that they scroll. */
export const exploreActions = [
  { id: 'explore.left', name: 'Move the map to the left', label: 'Left', keys: ['ArrowLeft'], scope: 'explore' },
  { id: 'explore.right', name: 'Move the map to the right', label: 'Right', keys: ['ArrowRight'], scope: 'explore' },
  { id: 'explore.up', name: 'Move the map up', label: 'Up', keys: ['ArrowUp'], scope: 'explore' },
  { id: 'explore.down', name: 'Move the map down', label: 'Down', keys: ['ArrowDown'], scope: 'explore' },
  { id: 'explore.closer', name: 'Look closer', label: 'Closer', keys: ['+', '='], scope: 'explore' },
  { id: 'explore.farther', name: 'Step back', label: 'Farther', keys: ['-'], scope: 'explore' },
  { id: 'explore.fit', name: 'Show the whole map', label: 'Fit', keys: ['0'], scope: 'explore' },
  { id: 'explore.next', name: 'Show the next pick', label: 'Next pick', keys: ['n', 'j'], scope: 'explore' },
  { id: 'explore.previous', name: 'Show the pick before', label: 'Pick before', keys: ['p', 'k'], scope: 'explore' },
  { id: 'explore.open', name: 'Open the photograph that is shown', label: 'Open', keys: ['Enter'], scope: 'explore' },
  { id: 'explore.clear', name: 'Let go of the photograph', label: 'Let go', keys: ['Escape'], scope: 'explore' },
] as const satisfies readonly ActionSpec[]
