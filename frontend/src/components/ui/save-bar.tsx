import type { ReactNode } from 'react'
import { t } from '@/messages/saving'
import { Button } from './button'
import { cx } from './cx'
import styles from './save-bar.module.css'

export interface SaveBarProps {
  /** The words of the button that saves. */
  verb: string
  isChanged: boolean
  isPending: boolean
  /** Something must be decided before it can be saved. */
  isHeld?: boolean
  /** Left out where the bar stands in a form: its button submits it. */
  onSave?: () => void
  onDiscard: () => void
  /** What saving will do. */
  children?: ReactNode
}

/** The one way to save settings: it stays in sight while something is changed, and says what saving will do. */
export function SaveBar({ verb, isChanged, isPending, isHeld = false, onSave, onDiscard, children }: SaveBarProps) {
  return (
    <div className={cx(styles.bar, isChanged && styles.changed)}>
      <div className={styles.words} role="status">
        {isChanged && children}
      </div>
      <div className={styles.deeds}>
        {isChanged && <Button onPress={onDiscard}>{t.discard}</Button>}
        <Button
          type={onSave ? 'button' : 'submit'}
          variant="primary"
          isPending={isPending}
          isDisabled={!isChanged || isHeld}
          onPress={onSave}
        >
          {verb}
        </Button>
      </div>
    </div>
  )
}
