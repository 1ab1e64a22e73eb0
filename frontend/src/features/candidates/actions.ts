import type { ActionSpec } from '@/lib/actions/action'

/** Going through one photograph's captions and deciding on them. */
export const poolRowActions = [
  { id: 'pool.next', name: 'Go to the next caption', label: 'Next', keys: ['j', 'ArrowDown'], scope: 'pool' },
  { id: 'pool.previous', name: 'Go to the caption before', label: 'Before', keys: ['k', 'ArrowUp'], scope: 'pool' },
  {
    id: 'pool.restore',
    name: 'Keep this caption after all',
    label: 'Restore',
    keys: ['r'],
    scope: 'pool',
    decides: true,
  },
  { id: 'pool.drop', name: 'Drop this caption', label: 'Drop', keys: ['x'], scope: 'pool', decides: true },
] as const satisfies readonly ActionSpec[]

/** What else there is to do on the page of a pool. */
export const poolActions = [
  { id: 'pool.add', name: 'Add a caption by hand', label: 'Add a caption', keys: ['a'], scope: 'pool' },
  { id: 'pool.filter', name: 'Find captions by their words', label: 'Find', keys: ['/'], scope: 'pool' },
  {
    id: 'pool.undo',
    name: 'Take back the last decision',
    label: 'Take back',
    keys: ['z'],
    scope: 'pool',
    decides: true,
  },
  {
    id: 'pool.nextImage',
    name: 'Show the next photograph’s captions',
    label: 'Next photograph',
    keys: ['ArrowRight'],
    scope: 'pool',
  },
  {
    id: 'pool.previousImage',
    name: 'Show the captions of the photograph before',
    label: 'Photograph before',
    keys: ['ArrowLeft'],
    scope: 'pool',
  },
  { id: 'pool.close', name: 'Go back to the photograph', label: 'Photograph', keys: ['Escape'], scope: 'pool' },
] as const satisfies readonly ActionSpec[]

/** Going through what a rule did, and undoing it. */
export const funnelActions = [
  { id: 'funnel.next', name: 'Go to the next example', label: 'Next', keys: ['j', 'ArrowDown'], scope: 'funnel' },
  { id: 'funnel.previous', name: 'Go to the example before', label: 'Before', keys: ['k', 'ArrowUp'], scope: 'funnel' },
  {
    id: 'funnel.restore',
    name: 'Keep this caption after all',
    label: 'Restore',
    keys: ['r'],
    scope: 'funnel',
    decides: true,
  },
  { id: 'funnel.drop', name: 'Drop this caption', label: 'Drop', keys: ['x'], scope: 'funnel', decides: true },
] as const satisfies readonly ActionSpec[]

export const funnelPageActions = [
  {
    id: 'funnel.undo',
    name: 'Take back the last decision',
    label: 'Take back',
    keys: ['z'],
    scope: 'funnel',
    decides: true,
  },
] as const satisfies readonly ActionSpec[]

/** Going through suspects and deciding on them. */
export const leakageRowActions = [
  { id: 'leakage.next', name: 'Go to the next suspect', label: 'Next', keys: ['j', 'ArrowDown'], scope: 'leakage' },
  {
    id: 'leakage.previous',
    name: 'Go to the suspect before',
    label: 'Before',
    keys: ['k', 'ArrowUp'],
    scope: 'leakage',
  },
  {
    id: 'leakage.keepOut',
    name: 'Keep this picture out for good',
    label: 'Keep out',
    keys: ['x'],
    scope: 'leakage',
    decides: true,
  },
  {
    id: 'leakage.allow',
    name: 'Allow this picture to lend captions',
    label: 'Allow',
    keys: ['a'],
    scope: 'leakage',
    decides: true,
  },
] as const satisfies readonly ActionSpec[]

export const leakageActions = [
  {
    id: 'leakage.undo',
    name: 'Take back the last decision',
    label: 'Take back',
    keys: ['z'],
    scope: 'leakage',
    decides: true,
  },
  { id: 'leakage.corpora', name: 'Go to the corpora', label: 'Corpora', keys: ['Escape'], scope: 'leakage' },
] as const satisfies readonly ActionSpec[]
