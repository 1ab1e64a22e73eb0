import { useRef } from 'react'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { WhatComes } from '@/components/ui/what-comes'
import type { Remark } from '@/lib/api/served'
import { useActiveRow } from '@/lib/layout/use-active-row'
import { t } from '@/messages/inbox'
import { useInbox } from '../api/get-inbox'
import { useMarkSeen } from '../api/mark-seen'
import { InboxPanes } from './inbox-panes'
import styles from './inbox.module.css'
import { RemarkCard } from './remark-card'
import { RemarkKeys } from './remark-keys'
import { useTalk } from './use-talk'

export interface InboxListProps {
  slug: string
  /** Where the page is theirs; beside the work the keys belong to the work. */
  hasKeys?: boolean
  /** The list at the left, and the chosen remark beside it. */
  isWide?: boolean
  /** The remark that a link leads to. */
  remark?: number | undefined
}

/** The remarks, unread first. */
export function InboxList({ slug, hasKeys = false, isWide = false, remark }: InboxListProps) {
  const { data, error, isPending, refetch, ...pages } = useInbox(slug)
  if (isPending) return <Skeleton label={t.remarks} rows={4} />
  if (!data) return <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />
  const remarks = data.pages.flatMap((page) => page.results)
  if (remarks.length === 0) return <Nothing slug={slug} hasWay={hasKeys} />
  const more = <MoreButton {...pages}>{t.more}</MoreButton>
  if (isWide) return <InboxPanes slug={slug} remarks={remarks} asked={remark} more={more} />
  return (
    <>
      <Remarks slug={slug} remarks={remarks} hasKeys={hasKeys} />
      {more}
    </>
  )
}

function Nothing({ slug, hasWay }: { slug: string; hasWay: boolean }) {
  return (
    <WhatComes
      title={t.nothing}
      lead={t.nothingHint}
      things={[
        { icon: 'message', title: t.comesFeedback, words: t.comesFeedbackHint },
        { icon: 'alert', title: t.comesMark, words: t.comesMarkHint },
        { icon: 'undo', title: t.comesAnswer, words: t.comesAnswerHint },
      ]}
      action={
        hasWay && (
          <LinkButton to="/projects/$slug/annotate" params={{ slug }} variant="primary">
            {t.openTasks}
          </LinkButton>
        )
      }
    />
  )
}

interface RemarksProps {
  slug: string
  remarks: readonly Remark[]
  hasKeys: boolean
}

function Remarks({ slug, remarks, hasKeys }: RemarksProps) {
  const list = useRef<HTMLOListElement>(null)
  const { active, move } = useActiveRow({ list, ids: remarks.map(({ id }) => id) })
  const talk = useTalk(slug)
  useMarkSeen(slug, list, remarks)
  const current = remarks[active] ?? remarks[0]
  return (
    <>
      {hasKeys && current && <RemarkKeys remark={current} talk={talk} onMove={move} />}
      <ol ref={list} className={styles.list}>
        {remarks.map((remark, index) => (
          <RemarkCard
            key={remark.id}
            slug={slug}
            remark={remark}
            index={index}
            isActive={hasKeys && index === active}
            {...talk.of(remark)}
          />
        ))}
      </ol>
    </>
  )
}
