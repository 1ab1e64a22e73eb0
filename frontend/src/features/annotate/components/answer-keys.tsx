import { ActionButton } from '@/components/ui/action-button'
import { labelLooks } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { Icon } from '@/components/ui/icon'
import { KeyCap } from '@/components/ui/key-cap'
import { Pressable } from '@/components/ui/pressable'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import type { Label } from '@/lib/api/contract'
import { isComplete, type JudgingState } from '../state/judging'
import styles from './answer-keys.module.css'

const labels: readonly Label[] = ['good', 'bad', 'unsure']

export interface AnswerKeysProps {
  state: JudgingState
  isSending: boolean
}

export function AnswerKeys({ state, isSending }: AnswerKeysProps) {
  const open = state.items[state.current]
  const chosen = open && state.labels[open.position]
  const isDone = isComplete(state)
  return (
    <footer className={styles.footer}>
      <div className={styles.keys} role="group" aria-label="Judge this caption">
        {labels.map((label) => (
          <AnswerKey
            key={label}
            label={label}
            isChosen={label === chosen}
            isDisabled={!open || isSending}
            answered={state.given === label ? state.past.length : 0}
          />
        ))}
      </div>
      <div className={styles.below}>
        <ActionButton
          id="judge.undo"
          variant="quiet"
          icon="undo"
          showsKey
          isDisabled={state.past.length === 0 || isSending}
        />
        <ActionButton
          id="hit.submit"
          variant={isDone ? 'primary' : 'secondary'}
          showsKey
          isDisabled={!isDone || isSending}
          className={styles.submit ?? ''}
        />
      </div>
    </footer>
  )
}

interface AnswerKeyProps {
  label: Label
  isChosen: boolean
  isDisabled: boolean
  /** The number of the judgment this key has just given, 0 for none; each new one lights it up once. */
  answered: number
}

/** Sign, word, letter and colour together: the label is never told by colour alone. */
function AnswerKey({ label, isChosen, isDisabled, answered }: AnswerKeyProps) {
  const action = useAction(`judge.${label}`)
  if (!action) return null
  return (
    <Pressable
      className={cx(styles.key, styles[label])}
      preventFocusOnPress
      aria-pressed={isChosen}
      aria-label={action.label}
      keyShortcuts={ariaShortcuts(action.keys)}
      isDisabled={isDisabled}
      onPress={action.perform}
    >
      {answered > 0 && <span key={answered} className={styles.light} />}
      <Icon name={labelLooks[label].icon} size={26} strokeWidth={2.2} />
      <span className={styles.word}>{action.label}</span>
      <span className={styles.caps}>
        {[...action.keys].reverse().map((key) => (
          <KeyCap key={key} keyName={key} />
        ))}
      </span>
    </Pressable>
  )
}
