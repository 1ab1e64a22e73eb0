import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/explore'

/** Moving about the map of a sample; the arrows work once the map has the focus, before that they scroll. */
export const exploreActions = [
  { id: 'explore.left', name: t.moveLeft, label: t.left, keys: ['ArrowLeft'], scope: 'explore' },
  { id: 'explore.right', name: t.moveRight, label: t.right, keys: ['ArrowRight'], scope: 'explore' },
  { id: 'explore.up', name: t.moveUp, label: t.up, keys: ['ArrowUp'], scope: 'explore' },
  { id: 'explore.down', name: t.moveDown, label: t.down, keys: ['ArrowDown'], scope: 'explore' },
  { id: 'explore.closer', name: t.lookCloser, label: t.closer, keys: ['+', '='], scope: 'explore' },
  { id: 'explore.farther', name: t.stepBack, label: t.farther, keys: ['-'], scope: 'explore' },
  { id: 'explore.fit', name: t.showWhole, label: t.fit, keys: ['0'], scope: 'explore' },
  { id: 'explore.next', name: t.showNextPick, label: t.nextPick, keys: ['n', 'j'], scope: 'explore' },
  { id: 'explore.previous', name: t.showPickBefore, label: t.pickBefore, keys: ['p', 'k'], scope: 'explore' },
  { id: 'explore.open', name: t.openShown, label: t.open, keys: ['Enter'], scope: 'explore' },
  { id: 'explore.clear', name: t.letGoOf, label: t.letGo, keys: ['Escape'], scope: 'explore' },
] as const satisfies readonly ActionSpec[]

/** What a drag does, chosen outside of the map too. */
export const exploreToolActions = [
  { id: 'explore.lasso', name: t.drawLasso, label: t.lasso, keys: ['l'], scope: 'explore' },
  { id: 'explore.move', name: t.dragMoves, label: t.moveMap, keys: ['m'], scope: 'explore' },
] as const satisfies readonly ActionSpec[]
