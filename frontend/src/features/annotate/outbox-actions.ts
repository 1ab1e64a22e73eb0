import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/annotate'

/** The verbs about work that is not at the server yet. They stand in a notice and in the palette, when there is some. */
export const outboxActions = [
  { id: 'outbox.send', name: t.sendWhatWaits, label: t.sendAgain, keys: [], scope: 'annotate' },
  { id: 'outbox.take-back', name: t.takeBackToChange, label: t.changeIt, keys: [], scope: 'annotate' },
  { id: 'outbox.look', name: t.seeNotTaken, label: t.seeIt, keys: [], scope: 'annotate' },
  { id: 'outbox.leave', name: t.leaveAndNext, label: t.takeNext, keys: [], scope: 'annotate' },
  { id: 'outbox.sign-in', name: t.signInToSend, label: t.signIn, keys: [], scope: 'annotate' },
] as const satisfies readonly ActionSpec[]
