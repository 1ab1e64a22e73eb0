import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type SortedColumn, SortedTable } from '@/components/sorted-table/sorted-table'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { DiversityRun } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/diversity'
import { useReports } from '../api/get-reports'
import { titleOf } from '../state/measures'
import styles from './diversity.module.css'
import { StartDialog } from './start-dialog'

function SeeSelection({ slug }: { slug: string }) {
  return (
    <LinkButton to="/projects/$slug/selection" params={{ slug }}>
      {t.seeSelection}
    </LinkButton>
  )
}

/** The diversity reports of a project, and the way to a new one. */
export function DiversityPage({ project }: { project: Project }) {
  const { data: reports, error, isPending, refetch } = useReports(project.slug)
  const [isStarting, setStarting] = useState(false)
  const mayStart = project.role === 'curator'
  const start = mayStart && (
    <Button variant="primary" icon="plus" onPress={() => setStarting(true)}>
      {t.newReport}
    </Button>
  )
  return (
    <Page isWide>
      <PageHeader title={t.diversity} lead={t.lead} actions={reports?.length !== 0 && start} />
      {isPending && <Skeleton label={t.theReports} rows={4} />}
      {error && !reports && <ErrorState error={error} title={t.reportsNotShown} onRetry={() => void refetch()} />}
      {reports?.length === 0 && (
        <EmptyState title={t.noReport} icon="search" action={start || <SeeSelection slug={project.slug} />}>
          {mayStart ? t.noReportForCurators : t.noReportForOthers}
        </EmptyState>
      )}
      {reports && reports.length > 0 && (
        <SortedTable label={t.reports} columns={columnsOf(project.slug)} rows={reports} rowId={({ id }) => id} />
      )}
      {isStarting && <StartDialog slug={project.slug} onClose={() => setStarting(false)} />}
    </Page>
  )
}

const columnsOf = (slug: string): SortedColumn<DiversityRun>[] => [
  {
    id: 'datasets',
    title: t.datasets,
    isRowHeader: true,
    value: titleOf,
    cell: (run) => (
      <Link to="/projects/$slug/diversity/$runId" params={{ slug, runId: run.id }} className={styles.name}>
        {titleOf(run)}
      </Link>
    ),
  },
  { id: 'status', title: t.status, onPhone: 'under', value: statusOf, cell: statusOf },
  {
    id: 'images',
    title: t.images,
    isNumber: true,
    onPhone: 'under',
    value: ({ compared }) => (compared ?? []).reduce((sum, { n_measured: n }) => sum + n, 0),
    cell: ({ compared }) => (compared ?? []).map(({ n_measured: n }) => formatCount(n)).join(' / ') || '—',
  },
  {
    id: 'started',
    title: t.started,
    onPhone: 'under',
    sorts: 'descending',
    value: ({ created_at: at }) => at,
    cell: (run) => <RelativeTime at={run.created_at} />,
  },
  {
    id: 'by',
    title: t.by,
    onPhone: 'under',
    value: ({ started_by: name }) => name,
    cell: ({ started_by: name }) => name ?? '—',
  },
]

const ends = { succeeded: t.succeeded, failed: t.failed, cancelled: t.cancelled } as const

export function statusOf({ status, done, total }: DiversityRun): string {
  if (status === 'queued') return t.waiting
  if (status !== 'running') return ends[status]
  return total === null ? t.waiting : t.running({ done: formatCount(done), total: formatCount(total) })
}
