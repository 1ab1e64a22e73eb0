import type { ActionSpec } from '@/lib/actions/action'

/** The verbs about work that is not at the server yet. They stand in a notice and in the palette, when there is some. */
export const outboxActions = [
  { id: 'outbox.send', name: 'Send again what waits', label: 'Send again', keys: [], scope: 'annotate' },
  { id: 'outbox.take-back', name: 'Take back this one to change it', label: 'Change it', keys: [], scope: 'annotate' },
  { id: 'outbox.look', name: 'See what was not taken', label: 'See it', keys: [], scope: 'annotate' },
  { id: 'outbox.leave', name: 'Leave this one and take the next', label: 'Take the next', keys: [], scope: 'annotate' },
  { id: 'outbox.sign-in', name: 'Sign in to send what waits', label: 'Sign in', keys: [], scope: 'annotate' },
] as const satisfies readonly ActionSpec[]
