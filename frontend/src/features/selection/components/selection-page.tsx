import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { Facts } from '@/components/ui/facts'
import { FilterLinks } from '@/components/ui/filter-links'
import { FilterSelect } from '@/components/ui/filter-select'
import { type KeyFigure, KeyFigures } from '@/components/ui/key-figures'
import { MoreButton } from '@/components/ui/more-button'
import { NothingYet } from '@/components/ui/nothing-yet'
import { Notice } from '@/components/ui/notice'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import type { SelectionSummary } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/selection'
import { useFindMore, useSelectedImages, useSelectionSummary } from '../api/get-selection'
import { orders, type SelectionFilter, searchOf, statuses } from '../state/selection-filter'
import { SelectedImage } from './selected-image'
import styles from './selection-page.module.css'

export interface SelectionPageProps {
  project: Project
  filter: SelectionFilter
}

/** Which captions Select chose for each image, and which images have too few good ones. */
export function SelectionPage({ project, filter }: SelectionPageProps) {
  const { slug } = project
  const { data: summary, error, isPending, refetch } = useSelectionSummary(slug)
  const isCurator = project.role === 'curator'
  return (
    <Page isWide>
      <PageHeader
        title={t.selection}
        lead={t.lead}
        actions={isCurator && summary && summary.n_short > 0 && <FindMore slug={slug} n={summary.n_short} />}
      />
      {isPending && <Skeleton label={t.theSelection} rows={6} />}
      {error && !summary && <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />}
      {summary &&
        (summary.run ? (
          <Chosen slug={slug} summary={summary} filter={filter} />
        ) : (
          <NothingYet project={project} title={t.nothingChosen} icon="image" forAll={t.runSelect} />
        ))}
    </Page>
  )
}

function FindMore({ slug, n }: { slug: string; n: number }) {
  const navigate = useNavigate()
  const { mutate, isPending } = useFindMore(slug)
  const start = () =>
    mutate(undefined, {
      onSuccess: (run) => void navigate({ to: '/projects/$slug/walk/runs/$runId', params: { slug, runId: run.id } }),
      onError: (error) => showToast(asApiError(error).message, 'bad'),
    })
  return (
    <Button variant="primary" icon="search" isPending={isPending} onPress={start}>
      {t.findMore({ n })}
    </Button>
  )
}

interface ChosenProps {
  slug: string
  summary: SelectionSummary
  filter: SelectionFilter
}

function Chosen({ slug, summary, filter }: ChosenProps) {
  return (
    <div className={styles.parts}>
      {summary.n_waiting > 0 && (
        <Notice>
          {t.waiting({ n: summary.n_waiting })}{' '}
          <Link to="/projects/$slug/walk" params={{ slug }}>
            {t.toPipeline}
          </Link>
        </Notice>
      )}
      <KeyFigures figures={figuresOf(summary)} />
      {summary.n_short > 0 && <p className={styles.note}>{t.shortMeans}</p>}
      <Filters slug={slug} summary={summary} filter={filter} />
      <How summary={summary} />
      <Images key={`${filter.status} ${filter.order}`} slug={slug} filter={filter} />
    </div>
  )
}

const variants = { kmeans: t.kmeans, least_alike: t.leastAlike } as const

function figuresOf(summary: SelectionSummary): KeyFigure[] {
  const { n_selected, n_images, n_short, n_missing, n_pinned, n_banned, mean_stability: stability } = summary
  return [
    { name: t.imagesSelected, value: formatCount(n_selected), detail: t.outOf({ n: formatCount(n_images) }) },
    {
      name: t.captionsMissing,
      value: formatCount(n_missing),
      detail: n_short > 0 ? t.forImages({ n: n_short }) : null,
    },
    ...(stability === null ? [] : [{ name: t.meanStability, value: formatDecimal(stability, 2) }]),
    { name: t.pinsAndBans, value: `${formatCount(n_pinned)} / ${formatCount(n_banned)}` },
  ]
}

/** How the selection was made, out of the way of what it is. */
function How({ summary: { run, n_with_negative } }: { summary: SelectionSummary }) {
  if (!run) return null
  return (
    <Disclosure summary={t.howSelected}>
      <Facts
        facts={[
          { name: t.method, value: variants[run.variant] },
          { name: t.model, value: Object.keys(run.models).join(', ') },
          { name: t.seed, value: String(run.seed) },
          { name: t.withRejected, value: formatCount(n_with_negative) },
        ]}
      />
    </Disclosure>
  )
}

const orderNames = { image: t.byImage, stability: t.byStability, similarity: t.bySimilarity, n_good: t.byGood } as const
const statusNames = { all: t.all, selected: t.selected, short_pool: t.tooFew } as const

function Filters({ slug, summary, filter }: ChosenProps) {
  const navigate = useNavigate()
  const counts = {
    all: summary.n_selected + summary.n_short,
    selected: summary.n_selected,
    short_pool: summary.n_short,
  }
  return (
    <div className={styles.filters}>
      <FilterLinks
        label={t.byStatus}
        links={statuses.map((status) => ({
          id: status,
          label: statusNames[status],
          n: counts[status],
          isOn: status === filter.status,
          search: searchOf({ ...filter, status }),
        }))}
      />
      <FilterSelect
        label={t.order}
        choices={orders.map((value) => ({ value, label: orderNames[value] }))}
        value={filter.order}
        onChange={(order) =>
          void navigate({
            to: '/projects/$slug/selection',
            params: { slug },
            search: searchOf({ ...filter, order }),
            replace: true,
            resetScroll: false,
          })
        }
      />
    </div>
  )
}

function Images({ slug, filter }: { slug: string; filter: SelectionFilter }): ReactNode {
  const { data, error, isPending, refetch, ...pages } = useSelectedImages(slug, filter)
  if (isPending) return <Skeleton label={t.theImages} rows={6} />
  if (!data) return <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />
  const rows = data.pages.flatMap((page) => page.results)
  if (rows.length === 0) return <p className={styles.note}>{t.noneHere}</p>
  return (
    <>
      <ul className={styles.images} aria-label={t.theImages}>
        {rows.map((row) => (
          <SelectedImage key={row.image.id} slug={slug} row={row} />
        ))}
      </ul>
      <MoreButton {...pages}>{t.moreImages}</MoreButton>
    </>
  )
}
