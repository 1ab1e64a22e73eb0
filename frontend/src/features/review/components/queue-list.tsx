import { memo, useEffect, useRef } from 'react'
import { Badge } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { shortAge } from '@/lib/format/age'
import { absoluteTime } from '@/lib/format/time'
import { useMe } from '@/lib/session/get-session'
import { t } from '@/messages/review'
import type { Case } from '../api/shapes'
import { codesOf, reasonTone, reasonWords, titleOf } from '../state/case-words'
import type { Queue } from '../state/use-queue'
import styles from './queue.module.css'
import { VoteBar } from './vote-bar'

export interface QueueListProps {
  queue: Queue
}

/** The cases as dense rows; the open one stays in sight while keys go through them. */
export function QueueList({ queue: { list, cases, current, open } }: QueueListProps) {
  const me = useMe()?.id
  const box = useRef<HTMLOListElement>(null)
  useEffect(() => {
    box.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  if (list.isPending) return <Skeleton label={t.cases} rows={8} />
  if (list.error) return <ErrorState error={list.error} title={t.casesNotShown} onRetry={() => void list.refetch()} />
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  return (
    <>
      <ol ref={box} className={styles.rows} aria-label={t.cases}>
        {cases.map((each) => (
          <Row key={each.id} row={each} me={me} isOpen={each.id === current} onOpen={open} />
        ))}
      </ol>
      <div className={styles.foot}>
        <MoreButton {...{ hasNextPage, isFetchingNextPage, fetchNextPage }}>{t.moreCases}</MoreButton>
      </div>
    </>
  )
}

interface RowProps {
  row: Case
  me: number | undefined
  isOpen: boolean
  onOpen: (id: number) => void
}

const Row = memo(function Row({ row, me, isOpen, onOpen }: RowProps) {
  const [first, ...others] = codesOf(row)
  const thumb = row.image?.thumbnail.small
  return (
    <li className={styles.item}>
      <button
        type="button"
        className={cx(styles.row, isOpen && styles.open)}
        aria-current={isOpen || undefined}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onOpen(row.id)}
      >
        {thumb ? (
          <img className={styles.thumb} src={thumb.url} alt="" width={28} height={28} loading="lazy" />
        ) : (
          <span className={styles.thumb} />
        )}
        <span className={cx(styles.title, row.kind === 'pair' && styles.caption)} dir="auto">
          {titleOf(row)}
        </span>
        <span className={styles.chips}>
          {row.held_by && row.held_by.id !== me && (
            <span title={t.heldBy({ name: row.held_by.name })}>
              <Badge>{t.heldByShort}</Badge>
            </span>
          )}
          {first && <Badge tone={reasonTone(first)}>{reasonWords[first].chip}</Badge>}
          {others.length > 0 && (
            <span className={styles.more} title={others.map((code) => reasonWords[code].chip).join(', ')}>
              <span aria-hidden="true">+{others.length}</span>
              <span className="visually-hidden">{t.moreReasons({ n: others.length })}</span>
            </span>
          )}
        </span>
        <VoteBar votes={row.votes} />
        <Age at={row.state === 'open' ? row.opened_at : (row.closed_at ?? row.opened_at)} />
      </button>
    </li>
  )
})

function Age({ at }: { at: string }) {
  const then = new Date(at)
  return (
    <time className={styles.age} dateTime={at} title={absoluteTime(then)}>
      {shortAge(then, new Date())}
    </time>
  )
}
