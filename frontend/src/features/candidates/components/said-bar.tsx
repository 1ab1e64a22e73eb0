import { ActionButton } from '@/components/ui/action-button'
import { IconButton } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import type { Said } from '../state/use-decisions'
import styles from './said-bar.module.css'

/** What the last decision came to, and for a few seconds the way to take it back; read out politely. */
export function SaidBar({ said, undo, onDismiss }: { said: Said | null; undo: string; onDismiss: () => void }) {
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {said && (
        <div className={cx(styles.bar, said.tone === 'bad' && styles.bad)}>
          <span>{said.text}</span>
          {said.back && <ActionButton id={undo} size="small" variant="quiet" icon="undo" showsKey />}
          <IconButton icon="cross" aria-label="Dismiss" onPress={onDismiss} />
        </div>
      )}
    </div>
  )
}
