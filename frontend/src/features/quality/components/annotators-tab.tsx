import { useState } from 'react'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { Table } from '@/components/ui/table'
import type { Annotator } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import { type AnnotatorSort, useAnnotators } from '../api/annotators'
import type { State } from '../state/quality-words'
import { ShareCell, StateBadges } from './annotator-cells'
import { AnnotatorDrawer } from './annotator-drawer'
import styles from './quality-page.module.css'

const sorts: readonly { value: AnnotatorSort; label: string }[] = [
  { value: 'username', label: t.byName },
  { value: '-state', label: t.byState },
  { value: '-failed', label: t.byControls },
  { value: '-hits', label: t.byHits },
  { value: '-active', label: t.byActivity },
]

const states: readonly { value: State | 'all'; label: string }[] = [
  { value: 'all', label: t.everybody },
  { value: 'active', label: t.active },
  { value: 'warned', label: t.warned },
  { value: 'paused', label: t.paused },
  { value: 'excluded', label: t.excluded },
]

/** Everybody who works on the project; a row opens the evidence behind its figures. */
export function AnnotatorsTab({ slug, mayCurate }: { slug: string; mayCurate: boolean }) {
  const [sort, setSort] = useState<AnnotatorSort>('username')
  const [state, setState] = useState<State | 'all'>('all')
  const [opened, setOpened] = useState<number | null>(null)
  const { data, error, isPending, refetch, ...pages } = useAnnotators(slug, sort, state === 'all' ? '' : state)
  const rows = data?.pages.flatMap((page) => page.results) ?? []
  return (
    <section className={styles.section} aria-label={t.annotators}>
      <div className={styles.filters}>
        <Select label={t.who} choices={states} value={state} onChange={setState} />
        <Select label={t.order} choices={sorts} value={sort} onChange={setSort} />
      </div>
      {isPending && <Skeleton label={t.theAnnotators} rows={5} />}
      {error && <ErrorState error={error} title={t.annotatorsNotListed} onRetry={() => void refetch()} />}
      {data && rows.length === 0 && <Nobody isFiltered={state !== 'all'} />}
      {rows.length > 0 && <AnnotatorTable rows={rows} onOpen={setOpened} />}
      <MoreButton {...pages}>{t.moreAnnotators}</MoreButton>
      {opened !== null && (
        <AnnotatorDrawer slug={slug} id={opened} mayCurate={mayCurate} onClose={() => setOpened(null)} />
      )}
    </section>
  )
}

function Nobody({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <p className={styles.note}>{t.nobodyInState}</p>
  ) : (
    <EmptyState title={t.nobodyBegan} icon="person">
      {t.annotatorsLater}
    </EmptyState>
  )
}

function AnnotatorTable({ rows, onOpen }: { rows: readonly Annotator[]; onOpen: (id: number) => void }) {
  return (
    <Table<Annotator>
      label={t.annotators}
      rows={rows}
      rowId={(row) => String(row.user.id)}
      onRowAction={(row) => onOpen(row.user.id)}
      columns={[
        {
          id: 'name',
          title: t.annotator,
          isRowHeader: true,
          cell: (row) => row.user.display_name || row.user.username,
        },
        { id: 'state', title: t.state, onPhone: 'beside', cell: (row) => <StateBadges annotator={row} /> },
        { id: 'hits', title: t.hits, isNumber: true, onPhone: 'under', cell: (row) => formatCount(row.hits) },
        {
          id: 'passed',
          title: t.controlsPassed,
          isNumber: true,
          onPhone: 'under',
          cell: (row) => <ShareCell of={row.passed} />,
        },
        {
          id: 'agreement',
          title: t.withMost,
          isNumber: true,
          onPhone: 'under',
          cell: (row) => <ShareCell of={row.agreement} />,
        },
        {
          id: 'seconds',
          title: t.secondsEach,
          isNumber: true,
          onPhone: 'under',
          cell: (row) => (row.seconds === null ? '—' : formatDecimal(row.seconds, 1)),
        },
        { id: 'skips', title: t.skips, isNumber: true, onPhone: 'under', cell: (row) => formatCount(row.skips) },
        { id: 'late', title: t.late, isNumber: true, onPhone: 'under', cell: (row) => formatCount(row.late) },
        {
          id: 'active',
          title: t.lastSubmit,
          onPhone: 'under',
          cell: (row) =>
            row.last_active_at ? (
              <span className={styles.measure}>
                <RelativeTime at={row.last_active_at} />
              </span>
            ) : (
              '—'
            ),
        },
      ]}
    />
  )
}
