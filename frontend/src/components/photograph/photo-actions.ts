import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/annotate'

/** The verbs of the large photograph, on every page that shows it. */
export const photoActions = [
  { id: 'photo.zoom-in', name: t.zoomIn, label: t.zoomIn, keys: ['+', '='], scope: 'annotate' },
  { id: 'photo.zoom-out', name: t.zoomOut, label: t.zoomOut, keys: ['-'], scope: 'annotate' },
  { id: 'photo.fit', name: t.fitPhotograph, label: t.fit, keys: [' '], scope: 'annotate' },
  { id: 'photo.pan-left', name: t.panLeft, label: t.left, keys: ['Shift+ArrowLeft'], scope: 'annotate' },
  { id: 'photo.pan-right', name: t.panRight, label: t.right, keys: ['Shift+ArrowRight'], scope: 'annotate' },
  { id: 'photo.pan-up', name: t.panUp, label: t.up, keys: ['Shift+ArrowUp'], scope: 'annotate' },
  { id: 'photo.pan-down', name: t.panDown, label: t.down, keys: ['Shift+ArrowDown'], scope: 'annotate' },
  { id: 'photo.full-screen', name: t.photographFullScreen, label: t.fullScreen, keys: ['v'], scope: 'annotate' },
] as const satisfies readonly ActionSpec[]
