import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/past-work'

/** Going through a page that was sent, and changing what was said of it. */
export const pastWorkActions = [
  { id: 'past.next', name: t.nextItem, label: t.next, keys: ['j', 'ArrowDown'], scope: 'past-work' },
  { id: 'past.previous', name: t.itemBefore, label: t.before, keys: ['k', 'ArrowUp'], scope: 'past-work' },
  { id: 'past.change', name: t.changeIt, label: t.change, keys: ['e'], scope: 'past-work', decides: true },
  { id: 'past.list', name: t.backToList, label: t.back, keys: ['Escape'], scope: 'past-work' },
] as const satisfies readonly ActionSpec[]

/** Going through the tasks of the list, where the open one stands beside it. */
export const pastListActions = [
  { id: 'past.nextTask', name: t.nextTask, label: t.nextTask, keys: ['n'], scope: 'past-work' },
  { id: 'past.previousTask', name: t.taskBefore, label: t.taskBefore, keys: ['p'], scope: 'past-work' },
] as const satisfies readonly ActionSpec[]
