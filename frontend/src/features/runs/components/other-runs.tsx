import { Link } from '@tanstack/react-router'
import { RelativeTime } from '@/components/ui/relative-time'
import { Table, type TableColumn } from '@/components/ui/table'
import type { Run } from '@/lib/api/served'
import { tookBetween } from '@/lib/format/duration'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { useOtherRuns } from '../api/get-runs'
import { countDropped, readCounts } from '../state/run-counts'
import { RunBadge } from './run-badge'
import styles from './run-page.module.css'

const countOr = (n: number | null): string => (n === null ? '–' : formatCount(n))

const columnsOf = (slug: string): TableColumn<Run>[] => [
  {
    id: 'when',
    title: t.startedAt,
    isRowHeader: true,
    cell: ({ id, created_at: at }) => (
      <Link to="/projects/$slug/walk/runs/$runId" params={{ slug, runId: id }}>
        <RelativeTime at={at} />
      </Link>
    ),
  },
  { id: 'state', title: t.status, onPhone: 'beside', cell: (run) => <RunBadge run={run} /> },
  { id: 'in', title: t.inTitle, isNumber: true, onPhone: 'under', cell: (run) => countOr(readCounts(run).in) },
  { id: 'out', title: t.outTitle, isNumber: true, onPhone: 'under', cell: (run) => countOr(readCounts(run).out) },
  {
    id: 'removed',
    title: t.removedTitle,
    isNumber: true,
    onPhone: 'under',
    cell: (run) => formatCount(countDropped(run)),
  },
  {
    id: 'took',
    title: t.duration,
    isNumber: true,
    onPhone: 'under',
    cell: (run) => tookBetween(run.started_at, run.finished_at) ?? '–',
  },
]

/** The other runs of the same stage with their figures, so that a run is seen beside those before it. */
export function OtherRuns({ slug, run }: { slug: string; run: Run }) {
  const runs = useOtherRuns(slug, run)
  if (runs.length === 0) return null
  return (
    <section>
      <h2 className={styles.title}>{t.otherRuns}</h2>
      <Table label={t.otherRuns} columns={columnsOf(slug)} rows={runs} rowId={({ id }) => id} />
    </section>
  )
}
