import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/annotate'

/** The one verb about a HIT that is open in another tab. */
export const holdActions = [
  {
    id: 'hit.take-over',
    name: t.workInThisTab,
    label: t.workHere,
    keys: ['Enter'],
    scope: 'open-elsewhere',
    decides: true,
  },
] as const satisfies readonly ActionSpec[]
