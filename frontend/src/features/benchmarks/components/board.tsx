import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import { Badge } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { DownloadLink } from '@/components/ui/download-link'
import { LinkButton } from '@/components/ui/link-button'
import { Notes } from '@/components/ui/notes'
import { Table, type TableColumn, type TableSort } from '@/components/ui/table'
import { t } from '@/messages/benchmarks'
import { exportFormats, exportUrl } from '../api/get-benchmarks'
import type { Cell, Difference, Leaderboard, Metric, Published } from '../api/shapes'
import type { BenchmarkAsked } from '../state/asked'
import type { BoardRow } from '../state/board'
import { directionName, formatDifference, formatMetric, intervalOf, metricName, metricTitle } from '../state/metrics'
import { leaderSpec } from '../state/specs'
import styles from './benchmarks.module.css'
import { PublishedTables } from './published-tables'

export interface BoardProps {
  slug: string
  data: Leaderboard
  asked: BenchmarkAsked
  metrics: readonly Metric[]
  /** The figure in the chart; none where no model has figures. */
  drawn: Metric | undefined
  rows: readonly BoardRow[]
  sort: TableSort
  onSort: (sort: TableSort) => void
  tables: Published['tables']
  isCurator: boolean
}

/** The table of models, the chart of one figure, and the files. */
export function Board({ slug, data, asked, metrics, drawn, rows, sort, onSort, tables, isCurator }: BoardProps) {
  const reference = data.rows.find(({ id }) => id === data.reference)
  const notRun = data.rows.filter((row) => row.not_run)
  const [a, b] = rows.filter(({ measured }) => measured?.has_queries)
  return (
    <div className={styles.board}>
      <div className={styles.beside}>
        <div>
          <Table
            label={t.benchmarks}
            columns={columnsOf(slug, metrics)}
            rows={rows}
            rowId={({ id }) => id}
            isTall={rows.length > most}
            sort={sort}
            onSort={onSort}
          />
          <div className={styles.foot}>
            <p className={styles.note}>
              {legendOf(data.rows.length > 1, reference?.model)}{' '}
              {t.figuresTimes100}
            </p>
            <Notes
              notes={[
                rows.some(({ measured }) => !measured) && t.publishedNote,
                data.rows.some((row) => !row.is_of_release) && t.otherDataNote,
                ...notRun.map(({ model, not_run: reason }) => t.notRunBecause({ model, reason: reason ?? '' })),
              ]}
            />
            <div className={styles.files}>
              <span>{t.download}</span>
              {exportFormats.map((format) => (
                <DownloadLink key={format} href={exportUrl(slug, data.release.id, format, asked)}>
                  {formatNames[format]}
                </DownloadLink>
              ))}
            </div>
            {a && b && (
              <div>
                <LinkButton
                  to="/projects/$slug/benchmarks/compare"
                  params={{ slug }}
                  search={{ release: data.release.id, task: data.task, a: a.id, b: b.id }}
                >
                  {t.compareTwo}
                </LinkButton>
              </div>
            )}
            {tables.length > 0 && <PublishedTables slug={slug} tables={tables} isCurator={isCurator} />}
          </div>
        </div>
        {drawn && <Leaders rows={rows.slice(0, most)} metric={drawn} />}
      </div>
    </div>
  )
}

/** Models that the chart shows; a longer table scrolls by itself. */
const most = 30

const legendOf = (areSeveral: boolean, model: string | undefined): string => {
  if (!areSeveral) return t.legendAlone
  return model === undefined ? t.legendPlain : t.legend({ model })
}

const formatNames = { csv: 'CSV', latex: 'LaTeX', markdown: 'Markdown', svg: 'SVG', json: 'JSON' } as const

const columnsOf = (slug: string, metrics: readonly Metric[]): TableColumn<BoardRow>[] => [
  { id: 'model', title: t.model, isRowHeader: true, sorts: 'ascending', cell: (row) => <Name slug={slug} row={row} /> },
  ...metrics.map(
    (metric): TableColumn<BoardRow> => ({
      id: metric.name,
      title: metricTitle(metric),
      isNumber: true,
      onPhone: 'under',
      sorts: metric.is_low_better ? 'ascending' : 'descending',
      cell: ({ cells }) => <Value metric={metric} cell={cells[metric.name]} />,
    }),
  ),
]

function Name({ slug, row: { model, measured, table } }: { slug: string; row: BoardRow }) {
  if (!measured) {
    return (
      <span className={styles.name}>
        {model} <Badge>{t.published}</Badge>
        <small className={styles.note}>{table}</small>
      </span>
    )
  }
  return (
    <span className={styles.name}>
      <Link to="/projects/$slug/benchmarks/$evaluationId" params={{ slug, evaluationId: measured.id }}>
        {model}
      </Link>
      {measured.not_run && <Badge tone="warning">{t.notRun}</Badge>}
      {measured.source === 'import' && <Badge>{t.imported}</Badge>}
      {!measured.is_of_release && <Badge tone="warning">{t.otherData}</Badge>}
    </span>
  )
}

function Value({ metric, cell }: { metric: Metric; cell: Cell | undefined }) {
  if (cell?.value == null) return '–'
  const interval = intervalOf(metric.measure, cell)
  return (
    <span className={styles.cell}>
      {formatMetric(metric.measure, cell.value)}
      {interval && <small className={styles.interval}>{interval}</small>}
      {cell.difference && <DifferenceOf metric={metric} {...cell.difference} />}
    </span>
  )
}

/** A real difference has a mark and a colour; one that may be chance is grey. */
function DifferenceOf({ metric, value, is_real: isReal }: Difference & { metric: Metric }) {
  const isBetter = metric.is_low_better ? value < 0 : value > 0
  return (
    <small className={cx(styles.difference, isReal && (isBetter ? styles.better : styles.worse))}>
      {formatDifference(metric.measure, value)}
      {isReal && (
        <>
          {' '}
          <span aria-hidden="true">{isBetter ? '▲' : '▼'}</span>
          <span className="visually-hidden">{isBetter ? t.better : t.worse}</span>
        </>
      )}
    </small>
  )
}

function Leaders({ rows, metric: { name, measure, direction } }: { rows: readonly BoardRow[]; metric: Metric }) {
  const spec = useMemo(() => leaderSpec(rows, name, measure), [rows, name, measure])
  const figure = (value: number) => formatMetric(measure, value)
  return (
    <Chart<BoardRow>
      title={t.leaderOf({ metric: metricName(measure), direction: directionName(direction) })}
      spec={spec}
      table={{
        columns: [
          { title: t.model, value: ({ model }) => model },
          { title: t.figure, value: ({ cells }) => cells[name]?.value ?? null, format: figure },
          { title: t.low, value: ({ cells }) => cells[name]?.low ?? null, format: figure },
          { title: t.high, value: ({ cells }) => cells[name]?.high ?? null, format: figure },
        ],
        rows,
      }}
      n={t.nModelsIs({ n: rows.length })}
      how={t.howLeader}
    />
  )
}
