import { useNavigate } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useState } from 'react'
import { DownloadLink } from '@/components/ui/download-link'
import { FilterLinks } from '@/components/ui/filter-links'
import { LinkButton } from '@/components/ui/link-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { SuspectCounts } from '@/lib/api/served'
import { t } from '@/messages/candidates'
import { leakageActions } from '../actions'
import { useDecidedSuspect } from '../api/decide-suspect'
import { useSuspectCounts } from '../api/get-suspect-counts'
import { useSuspects } from '../api/get-suspects'
import { countOf, filterNames, type SuspectFilter, suspectFilters } from '../state/suspect-words'
import { useSuspectDecisions } from '../state/use-suspect-decisions'
import styles from './leakage-page.module.css'
import { SaidBar } from './said-bar'
import { SuspectList } from './suspect-list'
import { SuspectThreshold } from './suspect-threshold'

export interface LeakagePageProps {
  project: Project
  filter: SuspectFilter
}

const lead = t.leakageLead

/** The suspects of a project, target beside corpus picture, for a person to keep out or allow. */
export function LeakagePage({ project: { slug }, filter }: LeakagePageProps) {
  const counts = useSuspectCounts(slug).data
  const decisions = useSuspectDecisions(slug)
  const navigate = useNavigate()
  const [least, setLeast] = useState<number | null>(null)
  const asked = useDeferredValue(least)
  const [isDifference, setDifference] = useState(false)
  useActions(leakageActions, {
    'leakage.undo': { when: () => Boolean(decisions.said?.back), perform: decisions.undo },
    'leakage.difference': () => setDifference((was) => !was),
    'leakage.corpora': () => void navigate({ to: '/projects/$slug/corpora', params: { slug } }),
  })
  const hasAny = !counts || countOf(counts, 'all') > 0
  return (
    <Page isWide>
      <PageHeader
        title={t.leakage}
        lead={lead}
        actions={counts && hasAny && <Download slug={slug} filter={filter} />}
      />
      {hasAny ? (
        <>
          <Filters filter={filter} counts={counts} />
          {filter === 'open' && counts && counts.open > 0 && (
            <SuspectThreshold slug={slug} counts={counts} least={least} onLeast={setLeast} />
          )}
          {isDifference && <p className={styles.quiet}>{t.differenceHint}</p>}
          <Suspects
            key={filter}
            slug={slug}
            filter={filter}
            least={filter === 'open' ? asked : null}
            isDifference={isDifference}
            isCounted={Boolean(counts)}
            onDecide={decisions.decide}
          />
        </>
      ) : (
        <NoSuspects slug={slug} />
      )}
      <SaidBar decisions={decisions} undo="leakage.undo" />
    </Page>
  )
}

function Download({ slug, filter }: { slug: string; filter: SuspectFilter }) {
  const only = filter === 'all' ? '' : `?decision=${filter}`
  return <DownloadLink href={`/api/v1/projects/${slug}/suspects.csv${only}`}>{t.downloadCsv}</DownloadLink>
}

function Filters({ filter, counts }: { filter: SuspectFilter; counts: SuspectCounts | undefined }) {
  return (
    <FilterLinks
      label={t.suspectsByDecision}
      className={styles.filters}
      links={suspectFilters.map((each) => ({
        id: each,
        label: filterNames[each],
        n: counts && countOf(counts, each),
        isOn: each === filter,
        search: { decision: each },
      }))}
    />
  )
}

interface SuspectsProps {
  slug: string
  filter: SuspectFilter
  least: number | null
  isDifference: boolean
  /** Whether it is known that there are suspects at all. */
  isCounted: boolean
  onDecide: ReturnType<typeof useSuspectDecisions>['decide']
}

function Suspects({ slug, filter, least, isDifference, isCounted, onDecide }: SuspectsProps) {
  const { data, error, isPending, refetch, fetchNextPage, ...pages } = useSuspects(slug, filter, least)
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const decided = useDecidedSuspect(slug)
  if (isPending) return <Skeleton label={t.theSuspects} rows={4} />
  if (!data) return <ErrorState error={error} title={t.suspectsNotShown} onRetry={() => void refetch()} />
  const suspects = data.pages.flatMap((page) => page.results.map((row) => decided(row, page.asked_at)))
  if (suspects.length === 0) return <NothingHere filter={filter} isCounted={isCounted} />
  return (
    <SuspectList
      slug={slug}
      suspects={suspects}
      isDifference={isDifference}
      next={{ has: pages.hasNextPage, isFetching: pages.isFetchingNextPage, hasFailed: pages.isFetchNextPageError }}
      onMore={more}
      onDecide={onDecide}
    />
  )
}

function NothingHere({ filter, isCounted }: Pick<SuspectsProps, 'filter' | 'isCounted'>) {
  if (filter === 'open' && !isCounted) {
    return <EmptyState title={t.noOpenSuspect}>{t.nextFindings}</EmptyState>
  }
  if (filter === 'open') {
    return (
      <EmptyState title={t.nothingToDecide} icon="check">
        {t.allDecided}
      </EmptyState>
    )
  }
  return <EmptyState title={t.noneOfThese}>{t.noneWithDecision}</EmptyState>
}

function NoSuspects({ slug }: { slug: string }) {
  return (
    <EmptyState
      title={t.noSuspects}
      icon="image"
      action={
        <LinkButton to="/projects/$slug/corpora" params={{ slug }} variant="primary">
          {t.goCorpora}
        </LinkButton>
      }
    >
      {t.suspectsExplained}
    </EmptyState>
  )
}
