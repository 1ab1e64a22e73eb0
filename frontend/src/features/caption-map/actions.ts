import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/caption-map'

/** Moving about the map; the arrows work once the map has the focus, before that they scroll. */
export const mapActions = [
  { id: 'map.left', name: t.moveLeft, label: t.left, keys: ['ArrowLeft'], scope: 'map' },
  { id: 'map.right', name: t.moveRight, label: t.right, keys: ['ArrowRight'], scope: 'map' },
  { id: 'map.up', name: t.moveUp, label: t.up, keys: ['ArrowUp'], scope: 'map' },
  { id: 'map.down', name: t.moveDown, label: t.down, keys: ['ArrowDown'], scope: 'map' },
  { id: 'map.closer', name: t.zoomIn, label: t.zoomIn, keys: ['+', '='], scope: 'map' },
  { id: 'map.farther', name: t.zoomOut, label: t.zoomOut, keys: ['-'], scope: 'map' },
  { id: 'map.fit', name: t.showWhole, label: t.showAll, keys: ['0'], scope: 'map' },
  { id: 'map.find', name: t.searchMap, label: t.search, keys: ['/'], scope: 'map' },
  { id: 'map.lasso', name: t.drawLasso, label: t.lasso, keys: ['l'], scope: 'map' },
  { id: 'map.box', name: t.drawBox, label: t.box, keys: ['b'], scope: 'map' },
  { id: 'map.move', name: t.moveMap, label: t.move, keys: ['v'], scope: 'map' },
  { id: 'map.next', name: t.showNext, label: t.next, keys: ['n', 'j'], scope: 'map' },
  { id: 'map.previous', name: t.showPrevious, label: t.previous, keys: ['p', 'k'], scope: 'map' },
  { id: 'map.clear', name: t.clearAll, label: t.clear, keys: ['Escape'], scope: 'map' },
] as const satisfies readonly ActionSpec[]
