import { useActions } from '@/lib/actions/action-context'
import type { Remark } from '@/lib/api/served'
import { inboxActions } from '../actions'
import { openAnswers } from './answer-bar'
import type { Talk } from './use-talk'

interface RemarkKeysProps {
  /** The one that the keys act on. */
  remark: Remark
  talk: Talk
  onMove: (by: 1 | -1) => void
}

export function RemarkKeys({ remark, talk, onMove }: RemarkKeysProps) {
  const isOpen = (id: ReturnType<typeof openAnswers>[number]) => () => openAnswers(remark).includes(id)
  const { onAnswer, onTalk } = talk.of(remark)
  useActions(inboxActions, {
    'inbox.next': () => onMove(1),
    'inbox.previous': () => onMove(-1),
    'inbox.acknowledge': { when: isOpen('inbox.acknowledge'), perform: () => onAnswer('acknowledge') },
    'inbox.agree': { when: isOpen('inbox.agree'), perform: () => onAnswer('agree') },
    'inbox.talk': { when: isOpen('inbox.talk'), perform: () => onTalk(true) },
  })
  return null
}
