import { Button } from '@/components/ui/button'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import type { Remark } from '@/lib/api/served'
import { t } from '@/messages/inbox'
import { inboxActions } from '../actions'
import styles from './inbox.module.css'

export interface AnswerBarProps {
  remark: Remark
  isActive: boolean
  onSeen: () => void
  onAgree: () => void
  onTalk: () => void
}

/** Seen, I agree, let's talk; what was answered is pressed. */
export function AnswerBar({ remark: { answer, is_unread }, isActive, onSeen, onAgree, onTalk }: AnswerBarProps) {
  return (
    <div className={styles.answers} role="group" aria-label={t.answers}>
      <Answer id="inbox.seen" isActive={isActive} isGiven={answer === 'seen' && !is_unread} onPress={onSeen} />
      <Answer id="inbox.agree" isActive={isActive} isGiven={answer === 'agree'} onPress={onAgree} />
      <Answer id="inbox.talk" isActive={isActive} isGiven={answer === 'talk'} onPress={onTalk} />
    </div>
  )
}

interface AnswerProps {
  id: (typeof inboxActions)[number]['id']
  isActive: boolean
  isGiven: boolean
  onPress: () => void
}

/** Beside the work the actions of the inbox are not alive: the words are, the keys are not. */
function Answer({ id, isActive, isGiven, onPress }: AnswerProps) {
  const live = useAction(id)
  const spec = live ?? inboxActions.find((action) => action.id === id)
  return (
    <Button
      size="small"
      aria-pressed={isGiven}
      shortcut={live?.keys[0]}
      isShortcutIdle={!isActive}
      keyShortcuts={isActive && live ? ariaShortcuts(live.keys) : undefined}
      onPress={onPress}
    >
      {spec?.label ?? ''}
    </Button>
  )
}
