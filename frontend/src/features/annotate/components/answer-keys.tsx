import { ActionButton } from '@/components/ui/action-button'
import { AnswerKey, AnswerRow } from '@/components/ui/answer-key'
import type { Label } from '@/lib/api/contract'
import { t } from '@/messages/annotate'
import { isComplete, type JudgingState, openAnswer } from '../state/judging'
import { openEdit } from '../state/unfinished'
import styles from './answer-keys.module.css'

export interface AnswerKeysProps {
  state: JudgingState
  /** The labels in the order drawn for this assignment. */
  options: readonly Label[]
  isSending: boolean
  canUndo: boolean
}

export function AnswerKeys({ state, options, isSending, canUndo }: AnswerKeysProps) {
  const open = openAnswer(state)
  const isDone = isComplete(state)
  const rests = isSending || openEdit(state) !== null
  return (
    <footer className={styles.footer} data-editing={openEdit(state) !== null || undefined}>
      <AnswerRow label={t.judgeIt}>
        {options.map((label) => (
          <AnswerKey
            key={label}
            id={`judge.${label}`}
            label={label}
            isChosen={label === open?.label}
            isDisabled={!open || rests}
            answered={state.given === label ? state.past.length : 0}
          />
        ))}
      </AnswerRow>
      <div className={styles.below}>
        <ActionButton id="judge.undo" variant="quiet" icon="undo" showsKey isDisabled={!canUndo || rests} />
        <ActionButton
          id="hit.submit"
          variant={isDone ? 'primary' : 'secondary'}
          showsKey
          isDisabled={!isDone || rests}
          className={styles.submit ?? ''}
        />
      </div>
    </footer>
  )
}
