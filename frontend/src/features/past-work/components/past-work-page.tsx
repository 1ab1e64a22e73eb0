import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LabelBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EditedCaption } from '@/components/ui/edited-caption'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { Project, Thumbnail } from '@/lib/api/contract'
import type { PastHit, PastItem } from '@/lib/api/served'
import { absoluteTime } from '@/lib/format/time'
import { t } from '@/messages/past-work'
import { usePastWork } from '../api/get-past-work'
import { isNarrowed, type PastFilter, rememberFilter } from '../state/past-filter'
import { PastFilters } from './past-filters'
import styles from './past-work-page.module.css'

export interface PastWorkPageProps {
  project: Project
  filter: PastFilter
  onFilter: (filter: PastFilter) => void
}

/** The pages the person sent, newest first, each small and as they saw it. */
export function PastWorkPage({ project: { slug }, filter, onFilter }: PastWorkPageProps) {
  const { data, error, isPending, refetch, ...pages } = usePastWork(slug, filter)
  useEffect(() => rememberFilter(slug, filter), [slug, filter])
  const hits = data?.pages.flatMap((page) => page.results) ?? []
  const isEmpty = data && hits.length === 0
  return (
    <Page>
      <PageHeader title={t.pastWork} lead={t.lead} />
      {(isNarrowed(filter) || hits.length > 0) && <PastFilters filter={filter} onFilter={onFilter} />}
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
      <ol className={styles.list}>
        {hits.map((hit) => (
          <PastRow key={hit.id} slug={slug} hit={hit} at={isNarrowed(filter) ? hit.items[0]?.position : undefined} />
        ))}
      </ol>
      <MoreButton {...pages}>{t.more}</MoreButton>
    </Page>
  )
}

function Nothing({ slug }: { slug: string }) {
  return (
    <EmptyState
      title={t.nothing}
      action={
        <LinkButton to="/projects/$slug/annotate" params={{ slug }} variant="primary">
          {t.judge}
        </LinkButton>
      }
    >
      {t.nothingHint}
    </EmptyState>
  )
}

/** `at` is the item that the task opens at. */
function PastRow({ slug, hit, at }: { slug: string; hit: PastHit; at: number | undefined }) {
  const sentAt = hit.submitted_at ?? hit.expires_at
  return (
    <li className={styles.row}>
      {hit.image && <Small of={hit.image.thumbnail.small} alt={t.photograph} />}
      <div className={styles.words}>
        <p className={styles.when}>
          <Link
            to="/projects/$slug/past-work/$assignmentId"
            params={{ slug, assignmentId: hit.id }}
            search={at === undefined ? {} : { at }}
            className={styles.open}
          >
            {hit.query?.text ?? countOf(hit)}{' '}
            <span className="visually-hidden">{t.sentAt({ when: absoluteTime(new Date(sentAt)) })}</span>
          </Link>
          {hit.query && hit.items.length < hit.n_items && <span>{countOf(hit)}</span>}
          <RelativeTime at={sentAt} />
          {hit.status === 'late' && <span>{t.late}</span>}
        </p>
        <ol className={hit.query ? styles.pictures : styles.captions}>
          {hit.items.map((item) => (
            <SmallItem key={item.position} item={item} />
          ))}
        </ol>
      </div>
    </li>
  )
}

/** How many items a task has, or how many of them a filter leaves. */
function countOf({ items: { length }, n_items: n, query }: PastHit): string {
  if (length === n) return (query ? t.pictures : t.captions)({ n })
  return (query ? t.picturesOf : t.captionsOf)({ found: length, n })
}

function SmallItem({ item }: { item: PastItem }) {
  return (
    <li className={styles.item}>
      {item.label && <LabelBadge label={item.label} />}
      {item.image && <Small of={item.image.thumbnail.small} alt={t.judgedPicture} />}
      {item.text !== null && (
        <span className={styles.text} lang="en" dir="auto">
          <EditedCaption text={item.text} edits={item.edits} />
        </span>
      )}
    </li>
  )
}

function Small({ of: { url, width, height }, alt }: { of: Thumbnail; alt: string }) {
  return <img className={styles.picture} src={url} alt={alt} width={width} height={height} loading="lazy" />
}
