import { ActionButton, ActionIconButton } from '@/components/ui/action-button'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import { t } from '@/messages/review'
import type { Case } from '../api/shapes'
import styles from './open-case.module.css'

export interface CaseHeaderProps {
  shown: Case
  hasNames: boolean
  /** Which pair of a task is large, from 1. */
  at: number
  onBack: () => void
}

/** What kind of case it is, whose it is if names are shown, and the way through the queue. */
export function CaseHeader({ shown, hasNames, at, onBack }: CaseHeaderProps) {
  const names = useAction('review.names')
  const { kind, annotator, n_pairs, state, closed_at, closed_by } = shown
  const owner = annotator && (annotator.display_name || annotator.username)
  return (
    <header className={styles.header}>
      <Button className={styles.back ?? ''} size="small" variant="quiet" icon="chevronLeft" onPress={onBack}>
        {t.back}
      </Button>
      <p className={styles.what}>
        {kind === 'assignment' && (
          <span>
            {hasNames && owner ? t.taskOf({ name: owner, n: at, all: n_pairs }) : t.taskAt({ n: at, all: n_pairs })}
          </span>
        )}
        {state === 'done' && (
          <span>
            {closed_by ? t.closedBy({ name: closed_by.name }) : t.closedItself}{' '}
            {closed_at && <RelativeTime at={closed_at} />}
          </span>
        )}
      </p>
      {names && (
        <Button
          size="small"
          variant="quiet"
          preventFocusOnPress
          icon="person"
          aria-pressed={hasNames}
          keyShortcuts={ariaShortcuts(names.keys)}
          shortcut={names.keys[0]}
          onPress={names.perform}
        >
          {hasNames ? t.hideNames : t.showNames}
        </Button>
      )}
      <ActionIconButton id="review.previous" icon="chevronUp" />
      <ActionButton id="review.next" size="small" variant="quiet" showsKey />
    </header>
  )
}
