import { Link, useNavigate } from '@tanstack/react-router'
import { Badge } from '@/components/ui/badge'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import type { Run, Stage } from '@/lib/api/served'
import { tookBetween } from '@/lib/format/duration'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { useRuns } from '../api/get-runs'
import { readCounts } from '../state/run-counts'
import { looksOf } from '../state/run-looks'
import styles from './walk-page.module.css'

export function RunBadge({ run }: { run: Run }) {
  const look = looksOf(run)
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {look.word}
    </Badge>
  )
}

const orDash = (count: number | null): string => (count === null ? '–' : formatCount(count))

function columnsFor(slug: string, labels: ReadonlyMap<string, string>): TableColumn<Run>[] {
  return [
    {
      id: 'stage',
      title: t.stage,
      cell: (run) => (
        <Link to="/projects/$slug/walk/runs/$runId" params={{ slug, runId: run.id }}>
          {labels.get(run.stage) ?? run.stage}
        </Link>
      ),
    },
    { id: 'status', title: t.status, onPhone: 'beside', cell: (run) => <RunBadge run={run} /> },
    { id: 'started', title: t.started, onPhone: 'under', cell: (run) => <RelativeTime at={run.created_at} /> },
    { id: 'by', title: t.by, onPhone: 'under', cell: (run) => run.started_by ?? t.aProgram },
    {
      id: 'took',
      title: t.took,
      isNumber: true,
      onPhone: 'under',
      cell: (run) => tookBetween(run.started_at, run.finished_at) ?? '–',
    },
    { id: 'in', title: t.in, isNumber: true, onPhone: 'under', cell: (run) => orDash(readCounts(run).in) },
    { id: 'out', title: t.out, isNumber: true, onPhone: 'under', cell: (run) => orDash(readCounts(run).out) },
    { id: 'refused', title: t.refused, isNumber: true, onPhone: 'under', cell: (run) => formatCount(run.n_refused) },
  ]
}

/** Every run there was, newest first. */
export function EarlierRuns({ slug, stages }: { slug: string; stages: readonly Stage[] }) {
  const navigate = useNavigate()
  const { data, error, refetch, ...pages } = useRuns(slug)
  if (error && !data) return <ErrorState error={error} title={t.runsNotListed} onRetry={() => void refetch()} />
  const runs = data?.pages.flatMap((page) => page.results) ?? []
  if (runs.length === 0) return null
  const labels = new Map(stages.map((stage) => [stage.name, stage.label]))
  return (
    <section className={styles.runs}>
      <h2 className={styles.runsTitle}>{t.runs}</h2>
      <Table
        label={t.runs}
        columns={columnsFor(slug, labels)}
        rows={runs}
        rowId={(run) => run.id}
        onRowAction={(run) =>
          void navigate({ to: '/projects/$slug/walk/runs/$runId', params: { slug, runId: run.id } })
        }
      />
      <div className={styles.more}>
        <MoreButton {...pages}>{t.earlierRuns}</MoreButton>
      </div>
    </section>
  )
}
