import { ActionButton } from '@/components/ui/action-button'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import type { Assignment } from '@/lib/api/contract'
import { type Notice, noticeFor } from '../state/notice'
import type { Desk } from '../state/use-desk'
import styles from './annotate-page.module.css'

/** What stopped the last sending, of the HIT on the desk or of the one before. */
export function DeskNotice({ desk: { failure, retry, letGo } }: { desk: Desk }) {
  if (!failure) return null
  const notice = noticeFor(failure.error, failure.nJudgments, failure.isOnDesk)
  return <NoticeBar notice={notice} onRetry={retry} onNext={letGo} />
}

/** Says that this HIT is with the server already, and what to do with it now. */
export function SentBefore({ assignment }: { assignment: Assignment }) {
  if (!assignment.submitted_at) return null
  return (
    <div className={styles.notice} role="status">
      <p>You sent this one already. Judge anew what you see otherwise now, then send the changes.</p>
      <ActionButton id="hit.leave" size="small" showsKey />
    </div>
  )
}

interface NoticeBarProps {
  notice: Notice
  onRetry: () => void
  onNext: () => void
}

/** Says what stopped the sending and offers the one way on. */
function NoticeBar({ notice, onRetry, onNext }: NoticeBarProps) {
  return (
    <div className={styles.notice} role="alert">
      <p>{notice.text}</p>
      <Way notice={notice} onRetry={onRetry} onNext={onNext} />
    </div>
  )
}

function Way({ notice, onRetry, onNext }: NoticeBarProps) {
  switch (notice.way) {
    case 'retry':
      return (
        <Button size="small" onPress={onRetry}>
          {notice.verb}
        </Button>
      )
    case 'next':
      return (
        <Button size="small" onPress={onNext}>
          {notice.verb}
        </Button>
      )
    case 'sign-in':
      return (
        <LinkButton size="small" to="/sign-in" search={{ next: globalThis.location.pathname }}>
          {notice.verb}
        </LinkButton>
      )
    case 'leave':
      return (
        <LinkButton size="small" to="/">
          {notice.verb}
        </LinkButton>
      )
  }
}
