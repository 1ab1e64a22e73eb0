import type { ActionSpec } from '@/lib/actions/action'
import { backKey, onwardKey } from '@/lib/language/direction'
import { t } from '@/messages/catalogue'

/** Moving about the gallery; the arrows work once a photograph has the focus, before that they scroll. */
export const galleryActions = [
  {
    id: 'gallery.right',
    name: t.goRight,
    label: t.right,
    keys: ['ArrowRight'],
    scope: 'gallery',
  },
  {
    id: 'gallery.left',
    name: t.goLeft,
    label: t.left,
    keys: ['ArrowLeft'],
    scope: 'gallery',
  },
  { id: 'gallery.down', name: t.goBelow, label: t.down, keys: ['ArrowDown'], scope: 'gallery' },
  { id: 'gallery.up', name: t.goAbove, label: t.up, keys: ['ArrowUp'], scope: 'gallery' },
  { id: 'gallery.first', name: t.goFirst, label: t.first, keys: ['Home'], scope: 'gallery' },
  { id: 'gallery.last', name: t.goLast, label: t.last, keys: ['End'], scope: 'gallery' },
] as const satisfies readonly ActionSpec[]

export const imageActions = [
  { id: 'image.next', name: t.showNext, label: t.next, keys: [onwardKey, 'j'], scope: 'image' },
  {
    id: 'image.previous',
    name: t.showBefore,
    label: t.previous,
    keys: [backKey, 'k'],
    scope: 'image',
  },
  { id: 'image.pool', name: t.showEveryCaption, label: t.everyCaption, keys: ['c'], scope: 'image' },
  { id: 'image.close', name: t.backToGallery, label: t.gallery, keys: ['Escape'], scope: 'image' },
] as const satisfies readonly ActionSpec[]
