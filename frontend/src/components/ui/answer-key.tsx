import type { ReactNode } from 'react'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import type { Label } from '@/lib/api/contract'
import styles from './answer-key.module.css'
import { cx } from './cx'
import { Icon } from './icon'
import { KeyCap } from './key-cap'
import { useLabelLooks } from './label-looks'
import { Pressable } from './pressable'

/** The three answers side by side. */
export function AnswerRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.row} role="group" aria-label={label} data-answers="">
      {children}
    </div>
  )
}

export interface AnswerKeyProps {
  /** The action it performs, by its name in the registry. */
  id: string
  label: Label
  isChosen?: boolean
  isDisabled?: boolean
  /** The number of the judgment this key has just given, 0 for none; each new one lights it up once. */
  answered?: number
}

/** Sign, word, letter and colour together: the label is never told by colour alone. */
export function AnswerKey({ id, label, isChosen = false, isDisabled = false, answered = 0 }: AnswerKeyProps) {
  const action = useAction(id)
  const look = useLabelLooks()[label]
  if (!action) return null
  return (
    <Pressable
      className={cx(styles.key, styles[label])}
      preventFocusOnPress
      aria-pressed={isChosen}
      keyShortcuts={ariaShortcuts(action.keys)}
      isDisabled={isDisabled}
      onPress={action.perform}
    >
      {answered > 0 && <span key={answered} className={styles.light} />}
      <Icon name={look.icon} size={26} strokeWidth={2.2} />
      <span className={styles.word}>{look.word}</span>
      <span className={styles.caps}>
        {action.keys.map((key) => (
          <KeyCap key={key} keyName={key} />
        ))}
      </span>
    </Pressable>
  )
}
