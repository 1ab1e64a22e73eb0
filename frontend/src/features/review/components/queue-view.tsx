import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { EmptyState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import { useIsWide } from '@/lib/layout/use-is-wide'
import { reviewCountsQuery, useReviewCounts } from '@/lib/review/get-review-counts'
import { t } from '@/messages/review'
import { queueActions } from '../actions'
import type { ReviewSearch } from '../state/search'
import { type Queue, useQueue } from '../state/use-queue'
import { Last } from './case-footer'
import { OpenCase } from './open-case'
import { QueueFilters } from './queue-filters'
import { QueueList } from './queue-list'
import styles from './review-page.module.css'

export type Change = (changes: Partial<Record<keyof ReviewSearch, unknown>>) => void

export interface QueueViewProps {
  project: Project
  search: ReviewSearch
  onSearch: Change
}

/** The queue, and beside it the open case; on a phone one or the other. */
export function QueueView({ project, search, onSearch }: QueueViewProps) {
  const { slug } = project
  const client = useQueryClient()
  const counts = useReviewCounts(slug)
  const isWide = useIsWide('60rem')
  const show = useCallback((id: number | null) => onSearch({ case: id ?? undefined }), [onSearch])
  const queue = useQueue({ slug, search, onOpen: show, isWide })
  const firstFilter = useRef<HTMLButtonElement>(null)
  const handlers = { toFilters: () => firstFilter.current?.focus(), close: () => queue.open(null) }
  const { current, cases, list } = queue
  const isFiltered = search.reason !== undefined || search.annotator !== undefined || search.kind !== undefined
  const clear = () => onSearch({ reason: undefined, annotator: undefined, kind: undefined })
  // The list knows of cases that came after they were counted.
  const isBehind = counts !== undefined && search.state !== 'done' && cases.length > counts.open
  useEffect(() => {
    if (isBehind) void client.invalidateQueries({ queryKey: reviewCountsQuery(slug).queryKey })
  }, [client, slug, isBehind])
  const isEmpty = list.isSuccess && cases.length === 0 && !list.hasNextPage
  return (
    <div className={styles.desk} data-open={current !== null || undefined}>
      <section className={styles.queue} aria-label={t.queue}>
        <QueueFilters
          slug={slug}
          search={search}
          counts={counts}
          first={firstFilter}
          onChange={(changes) => onSearch({ ...changes, case: undefined })}
        />
        <div className={styles.list}>
          {isEmpty && !isWide ? (
            <Nothing slug={slug} queue={queue} isFiltered={isFiltered} onClear={clear} />
          ) : (
            <QueueList queue={queue} />
          )}
        </div>
      </section>
      {current === null ? (
        <NoCase queue={queue} handlers={handlers}>
          {isEmpty && isWide && <Nothing slug={slug} queue={queue} isFiltered={isFiltered} onClear={clear} />}
        </NoCase>
      ) : (
        <OpenCase key={current} project={project} queue={queue} id={current} handlers={handlers} />
      )}
    </div>
  )
}

interface NoCaseProps {
  queue: Queue
  handlers: { toFilters: () => void }
  children: React.ReactNode
}

/** The place of the evidence while no case is open: the keys of the queue act still. */
function NoCase({ queue, handlers, children }: NoCaseProps) {
  useActions(queueActions, {
    'review.next': () => queue.step(1),
    'review.previous': () => queue.step(-1),
    'review.undo': { when: () => queue.last !== null, perform: queue.undo },
    'review.filter': handlers.toFilters,
    'review.close': { when: () => false, perform: () => undefined },
  })
  return (
    <div className={styles.noCase}>
      {children}
      <Last queue={queue} />
    </div>
  )
}

interface NothingProps {
  slug: string
  queue: Queue
  isFiltered: boolean
  onClear: () => void
}

/** Nothing is left, or nothing has come yet, or the filters leave nothing: each says what to do. */
function Nothing({ slug, queue, isFiltered, onClear }: NothingProps) {
  if (queue.filter.state === 'done') return <EmptyState title={t.noneDone}>{t.noneDoneWords}</EmptyState>
  if (isFiltered) {
    return (
      <EmptyState
        title={queue.nDone > 0 ? t.allReviewed : t.noneFits}
        icon="check"
        action={<Button onPress={onClear}>{t.clearFilters}</Button>}
      >
        {t.noneFitsWords}
      </EmptyState>
    )
  }
  if (queue.nDone > 0) {
    return (
      <EmptyState title={t.allReviewed} icon="check">
        {t.allReviewedWords}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={t.nothingTitle}
      icon="check"
      action={
        <LinkButton to="/projects/$slug/review" params={{ slug }} search={{ view: 'rules' }}>
          {t.readRules}
        </LinkButton>
      }
    >
      {t.nothingWords}
    </EmptyState>
  )
}
