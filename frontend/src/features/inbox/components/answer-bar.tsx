import { Button } from '@/components/ui/button'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import type { Remark } from '@/lib/api/served'
import { t } from '@/messages/inbox'
import { inboxActions } from '../actions'
import styles from './inbox.module.css'

type AnswerId = 'inbox.acknowledge' | 'inbox.agree' | 'inbox.talk'

/** What can be answered still: nothing twice, and what was said is not asked for again. */
export function openAnswers({ answer, state, awaits_reply }: Remark): readonly AnswerId[] {
  if (state === 'withdrawn') return []
  if (!answer) return ['inbox.acknowledge', 'inbox.agree', 'inbox.talk']
  return answer === 'agree' || awaits_reply ? ['inbox.talk'] : ['inbox.agree', 'inbox.talk']
}

export interface AnswerBarProps {
  remark: Remark
  isActive: boolean
  onAnswer: (said: 'acknowledge' | 'agree') => void
  onTalk: () => void
}

/** Got it, I agree, reply: those that are open. What was answered is said in words. */
export function AnswerBar({ remark, isActive, onAnswer, onTalk }: AnswerBarProps) {
  const press: Record<AnswerId, () => void> = {
    'inbox.acknowledge': () => onAnswer('acknowledge'),
    'inbox.agree': () => onAnswer('agree'),
    'inbox.talk': onTalk,
  }
  return (
    <div className={styles.answers} role="group" aria-label={t.answers}>
      <Answered remark={remark} />
      {openAnswers(remark).map((id) => (
        <Answer key={id} id={id} isActive={isActive} onPress={press[id]} />
      ))}
    </div>
  )
}

const words: Record<NonNullable<Remark['answer']>, string> = {
  acknowledge: t.youGotIt,
  agree: t.youAgreed,
  talk: t.youReplied,
}

function Answered({ remark: { answer, state, awaits_reply } }: { remark: Remark }) {
  if (!answer || state === 'withdrawn') return null
  return (
    <p className={styles.answered} role="status">
      {awaits_reply ? t.youWait : words[answer]}
    </p>
  )
}

interface AnswerProps {
  id: AnswerId
  isActive: boolean
  onPress: () => void
}

/** Beside the work the actions of the inbox are not alive: the words are, the keys are not. */
function Answer({ id, isActive, onPress }: AnswerProps) {
  const live = useAction(id)
  const spec = live ?? inboxActions.find((action) => action.id === id)
  return (
    <Button
      size="small"
      shortcut={isActive ? live?.keys[0] : undefined}
      keyShortcuts={isActive && live ? ariaShortcuts(live.keys) : undefined}
      onPress={onPress}
    >
      {spec?.label ?? ''}
    </Button>
  )
}
