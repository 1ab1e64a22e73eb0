import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { Table } from '@/components/ui/table'
import type { Annotator } from '@/lib/api/served'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { type AnnotatorSort, useAnnotators } from '../api/annotators'
import { type State, stateLooks } from '../state/quality-words'
import { AnnotatorDrawer } from './annotator-drawer'
import styles from './quality-page.module.css'

const sorts: readonly { value: AnnotatorSort; label: string }[] = [
  { value: 'username', label: 'By name' },
  { value: '-state', label: 'By state, hardest first' },
  { value: '-failed', label: 'By controls failed' },
  { value: '-hits', label: 'By HITs' },
  { value: '-active', label: 'By last activity' },
]

const states: readonly { value: State | 'all'; label: string }[] = [
  { value: 'all', label: 'Everybody' },
  { value: 'active', label: 'Active' },
  { value: 'warned', label: 'Warned' },
  { value: 'paused', label: 'Paused' },
  { value: 'excluded', label: 'Excluded' },
]

/** Everybody who works on the project; a row opens the evidence behind its figures. */
export function AnnotatorsTab({ slug, mayCurate }: { slug: string; mayCurate: boolean }) {
  const [sort, setSort] = useState<AnnotatorSort>('username')
  const [state, setState] = useState<State | 'all'>('all')
  const [opened, setOpened] = useState<number | null>(null)
  const { data, error, isPending, refetch, ...pages } = useAnnotators(slug, sort, state === 'all' ? '' : state)
  const rows = data?.pages.flatMap((page) => page.results) ?? []
  return (
    <section className={styles.section} aria-label="Annotators">
      <div className={styles.filters}>
        <Select label="Who" choices={states} value={state} onChange={setState} />
        <Select label="Order" choices={sorts} value={sort} onChange={setSort} />
      </div>
      {isPending && <Skeleton label="the annotators" rows={5} />}
      {error && <ErrorState error={error} title="The annotators could not be listed" onRetry={() => void refetch()} />}
      {data && rows.length === 0 && <Nobody isFiltered={state !== 'all'} />}
      {rows.length > 0 && <AnnotatorTable rows={rows} onOpen={setOpened} />}
      <MoreButton {...pages}>Show more annotators</MoreButton>
      {opened !== null && (
        <AnnotatorDrawer slug={slug} id={opened} mayCurate={mayCurate} onClose={() => setOpened(null)} />
      )}
    </section>
  )
}

function Nobody({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <p className={styles.note}>Nobody is in this state.</p>
  ) : (
    <EmptyState title="Nobody has begun yet" icon="person">
      Everybody who takes a HIT is listed here, with how they did on hidden controls and how they agree with the others.
    </EmptyState>
  )
}

function AnnotatorTable({ rows, onOpen }: { rows: readonly Annotator[]; onOpen: (id: number) => void }) {
  return (
    <Table<Annotator>
      label="Annotators"
      rows={rows}
      rowId={(row) => String(row.user.id)}
      onRowAction={(row) => onOpen(row.user.id)}
      columns={[
        {
          id: 'name',
          title: 'Annotator',
          isRowHeader: true,
          cell: (row) => row.user.display_name || row.user.username,
        },
        { id: 'state', title: 'State', cell: (row) => <StateBadges annotator={row} /> },
        { id: 'hits', title: 'HITs', isNumber: true, cell: (row) => formatCount(row.hits) },
        { id: 'passed', title: 'Controls passed', isNumber: true, cell: (row) => <ShareCell of={row.passed} /> },
        { id: 'agreement', title: 'With most others', isNumber: true, cell: (row) => <ShareCell of={row.agreement} /> },
        {
          id: 'seconds',
          title: 'Seconds each',
          isNumber: true,
          cell: (row) => (row.seconds === null ? '—' : row.seconds.toFixed(1)),
        },
        { id: 'skips', title: 'Skips', isNumber: true, cell: (row) => formatCount(row.skips) },
        { id: 'late', title: 'Late', isNumber: true, cell: (row) => formatCount(row.late) },
        {
          id: 'active',
          title: 'Last submit',
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

export function StateBadges({ annotator }: { annotator: Annotator }) {
  const { name, tone } = stateLooks[annotator.state]
  return (
    <span className={styles.badges}>
      <Badge tone={tone}>{name}</Badge>
      {annotator.is_by_hand && <Badge>By hand</Badge>}
      {annotator.needs_review && (
        <Badge tone="accent" icon="search">
          To review
        </Badge>
      )}
    </span>
  )
}

/** A share with its interval and n; a dash where there is nothing to divide by. */
export function ShareCell({ of: share }: { of: Annotator['passed'] }) {
  if (!share) return <span title="None yet">—</span>
  return (
    <span className={styles.figure} title={`${share.k} of ${share.n}`}>
      <b>{formatShare(share.share)}</b>
      <small>
        {Math.round(share.low * 100)}–{Math.round(share.high * 100)}%, n {formatCount(share.n)}
      </small>
    </span>
  )
}
