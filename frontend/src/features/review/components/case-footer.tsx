import { ActionButton } from '@/components/ui/action-button'
import { AnswerKey, AnswerRow } from '@/components/ui/answer-key'
import { Button } from '@/components/ui/button'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import type { Label } from '@/lib/api/contract'
import { t } from '@/messages/review'
import type { Case, Detail } from '../api/shapes'
import { correctionsOf, isAllChecked, type PageState } from '../state/page'
import type { Queue } from '../state/use-queue'
import { labels } from '../state/votes'
import styles from './open-case.module.css'

export interface CaseFooterProps {
  shown: Case
  /** The label that is about to be given. */
  chosen: Label | null
  isDisabled: boolean
  /** A question stands above: the other verbs make room for it. */
  isAsking: boolean
  detail: Detail | undefined
  page: PageState
  queue: Queue
}

/** The three answers, and everything else that can be done with a case. */
export function CaseFooter({ shown, chosen, isDisabled, isAsking, detail, page, queue }: CaseFooterProps) {
  if (shown.state === 'done') return <Last queue={queue} />
  const { query, second_look } = shown
  const isPage = shown.kind === 'assignment'
  return (
    <footer className={styles.footer}>
      <AnswerRow label={t.decide}>
        {labels.map((label) => (
          <AnswerKey
            key={label}
            id={`review.${label}`}
            label={label}
            isChosen={label === chosen}
            isDisabled={isDisabled}
          />
        ))}
      </AnswerRow>
      {!isAsking && (
        <div className={styles.verbs}>
          <ActionButton id="review.accept" size="small" showsKey />
          {isPage && detail && <AcceptPage detail={detail} page={page} />}
          {!isPage && !second_look && query === null && <ActionButton id="review.edit" size="small" showsKey />}
          {!second_look && <ActionButton id="review.return" size="small" showsKey />}
          {!second_look && <ActionButton id="review.more" size="small" showsKey />}
          <ActionButton id="review.dismiss" size="small" variant="quiet" showsKey />
        </div>
      )}
      <Last queue={queue} />
    </footer>
  )
}

function AcceptPage({ detail, page }: { detail: Detail; page: PageState }) {
  const action = useAction('review.accept-page')
  const n = correctionsOf(page).length
  if (!action) return null
  return (
    <Button
      size="small"
      variant={isAllChecked(detail, page) ? 'primary' : 'secondary'}
      preventFocusOnPress
      keyShortcuts={ariaShortcuts(action.keys)}
      shortcut={action.keys[0]}
      onPress={action.perform}
    >
      {n > 0 ? t.acceptCorrected({ n }) : action.label}
    </Button>
  )
}

/** What was done last, and the way to take it back. Its place is kept, so that nothing moves when there is something. */
export function Last({ queue: { last } }: { queue: Queue }) {
  return (
    <p className={styles.last}>
      {last && (
        <>
          <span>{last.words}</span>
          <ActionButton id="review.undo" size="small" variant="quiet" icon="undo" showsKey />
        </>
      )}
    </p>
  )
}
