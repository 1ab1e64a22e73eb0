import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/remarks'

/** Reading what one person judged, and writing to them about it. */
export const remarkActions = [
  { id: 'judged.next', name: t.nextRow, label: t.next, keys: ['j', 'ArrowDown'], scope: 'judged' },
  { id: 'judged.previous', name: t.rowBefore, label: t.before, keys: ['k', 'ArrowUp'], scope: 'judged' },
  { id: 'judged.tick', name: t.tickRow, label: t.tick, keys: ['x'], scope: 'judged' },
  { id: 'judged.last', name: t.tickLastName, label: t.tickLast, keys: ['l'], scope: 'judged' },
  { id: 'remark.write', name: t.writeTo, label: t.write, keys: ['w'], scope: 'judged' },
] as const satisfies readonly ActionSpec[]

export const judgedPageActions = [
  { id: 'judged.close', name: t.backToQuality, label: t.back, keys: ['Escape'], scope: 'judged' },
] as const satisfies readonly ActionSpec[]
