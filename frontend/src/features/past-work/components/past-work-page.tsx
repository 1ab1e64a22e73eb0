import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { WhatComes } from '@/components/ui/what-comes'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { PastHit } from '@/lib/api/served'
import { useIsWide } from '@/lib/layout/use-is-wide'
import { t } from '@/messages/past-work'
import { pastListActions } from '../actions'
import { usePastWork } from '../api/get-past-work'
import { isNarrowed, type PastFilter, rememberFilter } from '../state/past-filter'
import { OwnFigures } from './own-figures'
import { PastDetail } from './past-detail'
import { PastFilters } from './past-filters'
import { PastList } from './past-list'
import styles from './past-work-page.module.css'

export interface PastWorkPageProps {
  project: Project
  filter: PastFilter
  /** The task that was chosen in the list. */
  task: string | undefined
  onFilter: (filter: PastFilter) => void
}

/** The tasks the person sent, newest first; where there is room, the chosen one stands beside them. */
export function PastWorkPage({ project: { slug }, filter, task, onFilter }: PastWorkPageProps) {
  const { data, error, isPending, refetch, ...pages } = usePastWork(slug, filter)
  const isWide = useIsWide('64rem')
  useEffect(() => rememberFilter(slug, filter), [slug, filter])
  const hits = data?.pages.flatMap((page) => page.results) ?? []
  const isEmpty = data && hits.length === 0
  const open = isWide ? (hits.find(({ id }) => id === task) ?? hits[0]) : undefined
  const list = (
    <div>
      <PastList slug={slug} hits={hits} filter={filter} openId={open?.id} />
      <MoreButton {...pages}>{t.more}</MoreButton>
    </div>
  )
  return (
    <Page isWide>
      <PageHeader title={t.pastWork} lead={t.lead} />
      {(isNarrowed(filter) || hits.length > 0) && (
        <>
          <OwnFigures slug={slug} />
          <PastFilters filter={filter} onFilter={onFilter} />
        </>
      )}
      {isPending && <Skeleton label={t.works} rows={5} />}
      {error && <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />}
      {isEmpty && !isNarrowed(filter) && <Nothing slug={slug} />}
      {isEmpty && isNarrowed(filter) && (
        <EmptyState
          title={t.nothingFound}
          icon="search"
          action={<Button onPress={() => onFilter({})}>{t.showAll}</Button>}
        >
          {t.nothingFoundHint}
        </EmptyState>
      )}
      {open ? (
        <div className={styles.panes}>
          <TaskKeys slug={slug} hits={hits} filter={filter} openId={open.id} />
          {list}
          <PastDetail
            key={open.id}
            slug={slug}
            assignmentId={open.id}
            at={task === open.id && isNarrowed(filter) ? open.items[0]?.position : undefined}
          />
        </div>
      ) : (
        list
      )}
    </Page>
  )
}

interface TaskKeysProps {
  slug: string
  hits: readonly PastHit[]
  filter: PastFilter
  openId: string
}

function TaskKeys({ slug, hits, filter, openId }: TaskKeysProps) {
  const navigate = useNavigate()
  const go = (by: 1 | -1) => {
    const to = hits[hits.findIndex(({ id }) => id === openId) + by]
    if (!to) return
    const search = { ...filter, task: to.id }
    void navigate({ to: '/projects/$slug/past-work', params: { slug }, search, replace: true, resetScroll: false })
  }
  useActions(pastListActions, { 'past.nextTask': () => go(1), 'past.previousTask': () => go(-1) })
  return null
}

function Nothing({ slug }: { slug: string }) {
  return (
    <WhatComes
      title={t.nothing}
      lead={t.nothingHint}
      things={[
        { icon: 'image', title: t.comesTasks, words: t.comesTasksHint },
        { icon: 'message', title: t.comesFeedback, words: t.comesFeedbackHint },
        { icon: 'undo', title: t.comesChange, words: t.comesChangeHint },
      ]}
      action={
        <LinkButton to="/projects/$slug/annotate" params={{ slug }} variant="primary">
          {t.judge}
        </LinkButton>
      }
    />
  )
}
