import { ActionButton } from '@/components/ui/action-button'
import { IconButton } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { t } from '@/messages/candidates'
import type { Said } from '../state/use-said'
import styles from './said-bar.module.css'

export interface SaidBarProps {
  decisions: {
    said: Said<unknown> | null
    refusal: string | null
    dismiss: () => void
    dismissRefusal: () => void
  }
  /** The action that takes the last one back. */
  undo: string
}

/** What was refused and what the last decision came to, with the way to take it back for a few seconds; read out. */
export function SaidBar({ decisions: { said, refusal, dismiss, dismissRefusal }, undo }: SaidBarProps) {
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {refusal && (
        <div className={cx(styles.bar, styles.bad)}>
          <span>{refusal}</span>
          <IconButton icon="cross" aria-label={t.dismissRefusal} onPress={dismissRefusal} />
        </div>
      )}
      {said && (
        <div className={styles.bar}>
          <span>{said.text}</span>
          {Boolean(said.back) && <ActionButton id={undo} size="small" variant="quiet" icon="undo" showsKey />}
          <IconButton icon="cross" aria-label={t.dismiss} onPress={dismiss} />
        </div>
      )}
    </div>
  )
}
