import type { ReactNode } from 'react'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { Note } from '@/components/ui/remark-words'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { WhatComes } from '@/components/ui/what-comes'
import { t } from '@/messages/remarks'
import { type RemarkFilter, useRemarks } from '../api/remarks'
import styles from './remarks.module.css'
import { WrittenThread } from './written-thread'

export interface ThreadListProps {
  slug: string
  filter: RemarkFilter
  /** Whether anything but all is asked for. */
  isFiltered: boolean
  /** Over the list, where the filters are. */
  children?: ReactNode
}

/** What was written, newest first: in which state each thread is, and whose turn it is. */
export function ThreadList({ slug, filter, isFiltered, children }: ThreadListProps) {
  const { data, error, isPending, refetch, ...pages } = useRemarks(slug, filter)
  const remarks = data?.pages.flatMap((page) => page.results) ?? []
  return (
    <section className={styles.section} aria-label={t.remarks}>
      {(!data || isFiltered || remarks.length > 0) && children}
      {isPending && <Skeleton label={t.remarks} rows={3} />}
      {error && <ErrorState error={error} title={t.remarksNotShown} onRetry={() => void refetch()} />}
      {data && remarks.length === 0 && <NoRemarks slug={slug} isFiltered={isFiltered} />}
      <ol className={styles.threads}>
        {remarks.map((remark) => (
          <WrittenThread key={remark.id} slug={slug} remark={remark} />
        ))}
      </ol>
      <MoreButton {...pages}>{t.moreRemarks}</MoreButton>
    </section>
  )
}

function NoRemarks({ slug, isFiltered }: { slug: string; isFiltered: boolean }) {
  if (isFiltered) return <Note>{t.noneWaits}</Note>
  return (
    <WhatComes
      title={t.noRemarks}
      lead={t.noRemarksHint}
      things={[
        { icon: 'message', title: t.comesWrite, words: t.comesWriteWords },
        { icon: 'person', title: t.comesRead, words: t.comesReadWords },
        { icon: 'undo', title: t.comesReply, words: t.comesReplyWords },
      ]}
      action={
        <LinkButton to="/projects/$slug/review" params={{ slug }} variant="primary">
          {t.openReview}
        </LinkButton>
      }
    />
  )
}
