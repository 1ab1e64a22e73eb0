import { Link, useNavigate } from '@tanstack/react-router'
import { Sparkline } from '@/components/chart/sparkline'
import { useColumns } from '@/components/sorted-table/column-choice'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { FilterChip } from '@/components/ui/filter-chip'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import { useAnnotators } from '@/lib/annotators/get-annotators'
import type { AnnotatorRow } from '@/lib/api/figures'
import { formatDuration } from '@/lib/format/duration'
import { formatCount, formatDecimal, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import { useHabits } from '../api/figures'
import { nameOf } from '../state/agreement-words'
import { agreementOf, type AnnotatorList, arrange, withHabits } from '../state/annotator-list'
import { saveTable } from '../state/annotators-csv'
import { formatFigure } from '../state/figures'
import { flagInWords, flagName, isFlagged } from '../state/flag-words'
import { personLooks, type State } from '../state/quality-words'
import { StateBadges } from './annotator-cells'
import styles from './quality-page.module.css'
import { ShareBar } from './share-bar'

export interface AnnotatorsTabProps {
  slug: string
  list: AnnotatorList
  onList: (list: AnnotatorList) => void
}

/** Everybody who works on the project; a row opens the person's page. */
export function AnnotatorsTab({ slug, list, onList }: AnnotatorsTabProps) {
  const { data, error, isPending, refetch } = useAnnotators(slug)
  const habits = useHabits(slug).data
  if (isPending) return <Skeleton label={t.theAnnotators} rows={6} />
  if (error) return <ErrorState error={error} title={t.annotatorsNotListed} onRetry={() => void refetch()} />
  if (data.length === 0) {
    return (
      <EmptyState title={t.nobodyBegan} icon="person">
        {t.annotatorsLater}
      </EmptyState>
    )
  }
  const all = withHabits(data, habits?.results ?? [])
  return <Annotators slug={slug} all={all} list={list} onList={onList} />
}

function Annotators({ slug, all, list, onList }: AnnotatorsTabProps & { all: readonly AnnotatorRow[] }) {
  const rows = arrange(all, list)
  const { shown, menu } = useColumns('annotators', [nameColumn(slug), ...columnsOf(domainOf(rows))])
  return (
    <section className={styles.section} aria-label={t.annotators}>
      <Chips rows={all} list={list} onList={onList}>
        {menu}
        <Button size="small" variant="quiet" icon="download" onPress={() => saveTable(rows)}>
          {t.asCsv}
        </Button>
      </Chips>
      {rows.length === 0 ? (
        <p className={styles.note}>{t.nobodyFits}</p>
      ) : (
        <AnnotatorTable
          key={shown.map(({ id }) => id).join(' ')}
          slug={slug}
          columns={shown}
          rows={rows}
          list={list}
          onList={onList}
        />
      )}
      <p className={styles.note}>{t.howAnnotators}</p>
    </section>
  )
}

interface ChipsProps {
  rows: readonly AnnotatorRow[]
  list: AnnotatorList
  onList: (list: AnnotatorList) => void
  children: React.ReactNode
}

const states: readonly State[] = ['active', 'warned', 'paused', 'excluded']

/** A chip for each status that somebody has, and one for those with a warning sign. */
function Chips({ rows, list, onList, children }: ChipsProps) {
  const nOf = (state: State) => rows.filter((row) => row.state === state).length
  const nFlagged = rows.filter(({ flags }) => flags.length > 0).length
  const isAll = list.state === null && !list.isFlagged
  return (
    <div className={styles.chips} role="group" aria-label={t.filters}>
      <FilterChip isOn={isAll} n={rows.length} onPress={() => onList({ ...list, state: null, isFlagged: false })}>
        {t.everybody}
      </FilterChip>
      <FilterChip isOn={list.isFlagged} n={nFlagged} onPress={() => onList({ ...list, isFlagged: !list.isFlagged })}>
        {t.flagged}
      </FilterChip>
      {states.map((state) => (
        <FilterChip
          key={state}
          isOn={list.state === state}
          n={nOf(state)}
          onPress={() => onList({ ...list, state: list.state === state ? null : state })}
        >
          {personLooks[state].name}
        </FilterChip>
      ))}
      <span className={styles.end}>{children}</span>
    </div>
  )
}

const nameColumn = (slug: string): TableColumn<AnnotatorRow> => ({
  id: 'name',
  title: t.annotator,
  isRowHeader: true,
  sorts: 'ascending',
  cell: (row) => (
    <Link
      className={styles.name}
      to="/projects/$slug/quality/annotators/$annotatorId"
      params={{ slug, annotatorId: String(row.user.id) }}
    >
      {nameOf(row.user)}
    </Link>
  ),
})

interface AnnotatorTableProps extends AnnotatorsTabProps {
  columns: readonly TableColumn<AnnotatorRow>[]
  rows: readonly AnnotatorRow[]
}

function AnnotatorTable({ slug, columns, rows, list, onList }: AnnotatorTableProps) {
  const navigate = useNavigate()
  const open = (row: AnnotatorRow) =>
    void navigate({
      to: '/projects/$slug/quality/annotators/$annotatorId',
      params: { slug, annotatorId: String(row.user.id) },
    })
  return (
    <Table<AnnotatorRow>
      label={t.annotators}
      isTall
      rows={rows}
      rowId={(row) => String(row.user.id)}
      onRowAction={open}
      sort={list.sort}
      onSort={(sort) => onList({ ...list, sort })}
      columns={columns}
    />
  )
}

const under = { isNumber: true, onPhone: 'under' } as const

/** The least and the greatest share of any day: small changes show, and lines compare. */
function domainOf(rows: readonly AnnotatorRow[]): readonly [number, number] {
  const shares = rows.flatMap(({ habits }) => habits?.trend.flatMap(({ share }) => share ?? []) ?? [])
  return shares.length === 0 ? [0, 1] : [Math.min(...shares), Math.max(...shares)]
}

const columnsOf = (domain: readonly [number, number]): readonly TableColumn<AnnotatorRow>[] => [
  {
    id: 'state',
    title: t.state,
    sorts: 'descending',
    onPhone: 'beside',
    cell: (row) => <StateBadges annotator={row} />,
  },
  { id: 'flags', title: t.flags, sorts: 'descending', onPhone: 'under', cell: (row) => <Flags row={row} /> },
  {
    id: 'passed',
    title: t.controlsPassed,
    sorts: 'ascending',
    ...under,
    cell: (row) => <ShareBar of={row.passed} isLow={isFlagged(row.flags, 'passed')} />,
  },
  {
    id: 'agreement',
    title: t.withMost,
    sorts: 'ascending',
    ...under,
    cell: (row) => <ShareBar of={agreementOf(row)} isLow={isFlagged(row.flags, 'agreement')} />,
  },
  {
    id: 'kappa',
    title: t.kappa,
    sorts: 'ascending',
    ...under,
    cell: ({ habits }) => (habits?.kappa.value == null ? '—' : formatFigure(habits.kappa.value)),
  },
  { id: 'trend', title: t.trend, onPhone: 'under', cell: (row) => <Trend row={row} domain={domain} /> },
  {
    id: 'seconds',
    title: t.secondsEach,
    sorts: 'ascending',
    ...under,
    cell: (row) => (row.seconds === null ? '—' : formatDecimal(row.seconds, 1)),
  },
  {
    id: 'pace',
    title: t.pace,
    sorts: 'descending',
    ...under,
    cell: ({ pace }) => (pace == null ? '—' : formatCount(Math.round(pace))),
  },
  {
    id: 'time',
    title: t.activeTime,
    sorts: 'descending',
    ...under,
    cell: ({ active_seconds: seconds }) => (seconds == null ? '—' : formatDuration(seconds)),
  },
  { id: 'hits', title: t.hits, sorts: 'descending', ...under, cell: (row) => formatCount(row.hits) },
  { id: 'skips', title: t.skips, sorts: 'descending', ...under, cell: (row) => formatCount(row.skips) },
  {
    id: 'active',
    title: t.lastSubmit,
    sorts: 'descending',
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
]

function Flags({ row: { flags } }: { row: AnnotatorRow }) {
  if (flags.length === 0) return '—'
  return (
    <span className={styles.badges}>
      {flags.map((flag) => (
        <span key={flag.code} title={flagInWords(flag)}>
          <Badge tone="warning" icon="alert">
            {flagName(flag)}
          </Badge>
        </span>
      ))}
    </span>
  )
}

function Trend({ row: { habits }, domain }: { row: AnnotatorRow; domain: readonly [number, number] }) {
  const shares = habits?.trend.map(({ share }) => share) ?? []
  const known = shares.filter((share) => share !== null)
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return '—'
  const label = t.trendOf({ n: shares.length, first: formatShare(first), last: formatShare(last) })
  return <Sparkline label={label} values={shares} domain={domain} />
}
