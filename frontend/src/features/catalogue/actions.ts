import type { ActionSpec } from '@/lib/actions/action'

/** Moving about the gallery; the arrows work once a photograph has the focus, before that they scroll. */
export const galleryActions = [
  {
    id: 'gallery.right',
    name: 'Go to the photograph on the right',
    label: 'Right',
    keys: ['ArrowRight'],
    scope: 'gallery',
  },
  {
    id: 'gallery.left',
    name: 'Go to the photograph on the left',
    label: 'Left',
    keys: ['ArrowLeft'],
    scope: 'gallery',
  },
  { id: 'gallery.down', name: 'Go to the photograph below', label: 'Down', keys: ['ArrowDown'], scope: 'gallery' },
  { id: 'gallery.up', name: 'Go to the photograph above', label: 'Up', keys: ['ArrowUp'], scope: 'gallery' },
  { id: 'gallery.first', name: 'Go to the first photograph', label: 'First', keys: ['Home'], scope: 'gallery' },
  { id: 'gallery.last', name: 'Go to the last photograph loaded', label: 'Last', keys: ['End'], scope: 'gallery' },
] as const satisfies readonly ActionSpec[]

export const imageActions = [
  { id: 'image.next', name: 'Show the next photograph', label: 'Next', keys: ['ArrowRight', 'j'], scope: 'image' },
  {
    id: 'image.previous',
    name: 'Show the photograph before',
    label: 'Previous',
    keys: ['ArrowLeft', 'k'],
    scope: 'image',
  },
  { id: 'image.pool', name: 'Show where every caption came from', label: 'Every caption', keys: ['c'], scope: 'image' },
  { id: 'image.close', name: 'Go back to the gallery', label: 'Gallery', keys: ['Escape'], scope: 'image' },
] as const satisfies readonly ActionSpec[]
