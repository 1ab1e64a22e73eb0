import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/inbox'

/** Going through the remarks and answering them. */
export const inboxActions = [
  { id: 'inbox.next', name: t.nextRemark, label: t.next, keys: ['j', 'ArrowDown'], scope: 'inbox' },
  { id: 'inbox.previous', name: t.remarkBefore, label: t.before, keys: ['k', 'ArrowUp'], scope: 'inbox' },
  { id: 'inbox.acknowledge', name: t.sayGotIt, label: t.gotIt, keys: ['g'], scope: 'inbox', decides: true },
  { id: 'inbox.agree', name: t.sayAgree, label: t.agree, keys: ['a'], scope: 'inbox', decides: true },
  { id: 'inbox.talk', name: t.startTalk, label: t.talk, keys: ['r'], scope: 'inbox', decides: true },
] as const satisfies readonly ActionSpec[]
