import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type SortedColumn, SortedTable } from '@/components/sorted-table/sorted-table'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { WhatComes } from '@/components/ui/what-comes'
import type { Project } from '@/lib/api/contract'
import type { DiversityRun } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/diversity'
import { useReport, useReports } from '../api/get-reports'
import { statusOf, titleOf } from '../state/measures'
import styles from './diversity.module.css'
import { Files, ReportView } from './report-view'
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
        <WhatComes
          title={t.noReport}
          lead={mayStart ? t.noReportForCurators : t.noReportForOthers}
          things={[
            { icon: 'search', title: t.comesMeasures, words: t.comesMeasuresWords },
            { icon: 'copy', title: t.comesOther, words: t.comesOtherWords },
            { icon: 'download', title: t.comesFiles, words: t.comesFilesWords },
          ]}
          action={start || <SeeSelection slug={project.slug} />}
        />
      )}
      {reports && reports.length > 0 && <Reports slug={project.slug} reports={reports} />}
      {isStarting && <StartDialog slug={project.slug} onClose={() => setStarting(false)} />}
    </Page>
  )
}

/** The newest report that has ended well, as it is, and the list of all. */
function Reports({ slug, reports }: { slug: string; reports: readonly DiversityRun[] }) {
  const newest = reports.find(({ status }) => status === 'succeeded')
  return (
    <div className={styles.sections}>
      {newest && <Newest slug={slug} run={newest} />}
      <section className={styles.section} aria-labelledby="all-reports">
        <h2 id="all-reports" className={styles.title}>
          {t.allReports}
        </h2>
        <SortedTable label={t.reports} columns={columnsOf(slug)} rows={reports} rowId={({ id }) => id} />
      </section>
    </div>
  )
}

function Newest({ slug, run }: { slug: string; run: DiversityRun }) {
  const { data, error, isPending, refetch } = useReport(slug, run.id)
  return (
    <section className={styles.section} aria-labelledby="newest">
      <header className={styles.head}>
        <h2 id="newest" className={styles.title}>
          <Link to="/projects/$slug/diversity/$runId" params={{ slug, runId: run.id }}>
            {t.newestReport({ title: titleOf(run) })}
          </Link>
        </h2>
        {data?.files && <Files files={data.files} />}
      </header>
      {isPending && <Skeleton label={t.theReport} rows={6} />}
      {error && !data && <ErrorState error={error} title={t.reportNotShown} onRetry={() => void refetch()} />}
      {data?.report && <ReportView report={data.report} isSub />}
    </section>
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
