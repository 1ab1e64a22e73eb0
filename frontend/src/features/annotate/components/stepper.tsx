import { IconButton } from '@/components/ui/button'
import { t } from '@/messages/annotate'
import { isComplete, type JudgingState } from '../state/judging'
import styles from './caption-list.module.css'

/** On a phone one caption shows at a time; these step through them. */
export function Stepper({ state, onMove }: { state: JudgingState; onMove: (by: 1 | -1) => void }) {
  const shown = Math.min(state.current + 1, state.items.length)
  return (
    <div className={styles.stepper}>
      <IconButton
        icon="chevronLeft"
        aria-label={t.captionBefore}
        isDisabled={state.current === 0}
        onPress={() => onMove(-1)}
      />
      <span>{t.captionOf({ shown, n: state.items.length })}</span>
      <IconButton
        icon="chevronRight"
        aria-label={t.nextCaption}
        isDisabled={shown === state.items.length && !isComplete(state)}
        onPress={() => onMove(1)}
      />
    </div>
  )
}
