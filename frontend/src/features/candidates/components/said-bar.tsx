import { ActionButton } from '@/components/ui/action-button'
import { IconButton } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import type { Said } from '../state/use-said'
import styles from './said-bar.module.css'

export interface SaidBarProps {
  said: Said<unknown> | null
  /** The action that takes it back. */
  undo: string
  onDismiss: () => void
}

/** What the last decision came to, and for a few seconds the way to take it back; read out politely. */
export function SaidBar({ said, undo, onDismiss }: SaidBarProps) {
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {said && (
        <div className={cx(styles.bar, said.tone === 'bad' && styles.bad)}>
          <span>{said.text}</span>
          {Boolean(said.back) && <ActionButton id={undo} size="small" variant="quiet" icon="undo" showsKey />}
          <IconButton icon="cross" aria-label="Dismiss" onPress={onDismiss} />
        </div>
      )}
    </div>
  )
}
