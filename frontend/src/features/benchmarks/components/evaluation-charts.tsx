import { useMemo, useState } from 'react'
import { Chart } from '@/components/chart/chart'
import { FilterSelect } from '@/components/ui/filter-select'
import { formatDecimal, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/benchmarks'
import type { Evaluation } from '../api/shapes'
import { directionName, fieldName, formatMetric, inOrder, metricName, valueName } from '../state/metrics'
import { type ByCategory, curvesSpec, fieldSpec, type RanksOfRow, ranksSpec } from '../state/specs'
import styles from './benchmarks.module.css'

/** Curves, figures by category, and the rank of every right item. */
export function EvaluationCharts({ evaluation }: { evaluation: Evaluation }) {
  const directions = Object.keys(evaluation.result.metrics).filter((each) => each !== 'both')
  const fields = [...new Set(evaluation.categories.map(({ field }) => field))]
  const [wantedDirection, setDirection] = useState<string | null>(null)
  const [wantedField, setField] = useState<string | null>(null)
  const direction = directions.find((each) => each === wantedDirection) ?? directions[0] ?? ''
  const usual = fields.find((each) => each === 'difficulty') ?? fields[0]
  const field = fields.find((each) => each === wantedField) ?? usual
  return (
    <div>
      {field !== undefined && (directions.length > 1 || fields.length > 1) && (
        <div className={styles.filters}>
          {directions.length > 1 && (
            <FilterSelect
              label={t.direction}
              choices={directions.map((value) => ({ value, label: directionName(value) }))}
              value={direction}
              onChange={setDirection}
            />
          )}
          {fields.length > 1 && (
            <FilterSelect
              label={t.field}
              choices={fields.map((value) => ({ value, label: fieldName(value) }))}
              value={field}
              onChange={setField}
            />
          )}
        </div>
      )}
      <div className={styles.panels}>
        <Curves evaluation={evaluation} />
        {field !== undefined && <ByFieldChart evaluation={evaluation} direction={direction} field={field} />}
        <div className={field === undefined ? '' : styles.wide}>
          <Ranks evaluation={evaluation} direction={direction} field={field} />
        </div>
      </div>
    </div>
  )
}

interface PointOfCurve {
  label: string
  x: number
  y: number
}

const most = 3

function Curves({ evaluation: { model, task, curves, result } }: { evaluation: Evaluation }) {
  const isOfPairs = task === 'auprc'
  const named = useMemo(() => {
    const nameOf = (name: string) => (isOfPairs ? curveName(name) : directionName(name))
    // Of pairs there is a curve for each category; the one of all comes first.
    return Object.entries(curves)
      .toSorted(([a], [b]) => Number(b === 'all') - Number(a === 'all'))
      .map(([name, points]) => ({ label: nameOf(name), points }))
  }, [curves, isOfPairs])
  const spec = useMemo(() => curvesSpec(named.slice(0, most), isOfPairs), [named, isOfPairs])
  if (named.length === 0) return null
  const rows = named.flatMap(({ label, points }) => points.map(([x = 0, y = 0]): PointOfCurve => ({ label, x, y })))
  const share = (value: number) => formatDecimal(value, 3)
  const n = Math.max(0, ...Object.values(result.metrics).flatMap((of) => Object.values(of).map((figure) => figure.n)))
  return (
    <Chart<PointOfCurve>
      title={isOfPairs ? t.curvesOfPairs({ model }) : t.curvesOf({ model })}
      spec={spec}
      table={{
        columns: [
          { title: isOfPairs ? t.categoryField : t.direction, value: ({ label }) => label },
          { title: isOfPairs ? t.recall : t.k, value: ({ x }) => x, ...(isOfPairs && { format: share }) },
          { title: isOfPairs ? t.precision : 'hit@k', value: ({ y }) => y, format: share },
        ],
        rows,
      }}
      n={isOfPairs ? t.nPairs({ n }) : t.nQueries({ n })}
      how={isOfPairs ? t.howCurvesOfPairs : t.howCurves}
    />
  )
}

const curveName = (name: string): string => (name === 'all' ? t.all : valueName(name.slice(name.indexOf('=') + 1)))

const drawnMeasures = [
  ['hit@1', 'hit@5', 'hit@10'],
  ['auprc', 'above_chance', 'prevalence'],
]

/** Difficulty, or another field, by the figures. */
function ByFieldChart({
  evaluation: { categories },
  direction,
  field,
}: {
  evaluation: Evaluation
  direction: string
  field: string
}) {
  const rows = useMemo(() => {
    const own = inOrder(categories.filter((each) => each.field === field))
    const has = (measure: string) => own.some(({ cells }) => cells[`${direction}.${measure}`])
    const measures = drawnMeasures.find((names) => names.some(has)) ?? []
    return measures.flatMap((measure) =>
      own.flatMap(({ value, cells }): ByCategory[] => {
        const cell = cells[`${direction}.${measure}`]
        return cell ? [{ measure, category: valueName(value), cell }] : []
      }),
    )
  }, [categories, direction, field])
  const spec = useMemo(() => fieldSpec(rows), [rows])
  if (rows.length === 0) return null
  const figure = (value: number) => formatMetric('hit@1', value)
  const counted = rows.filter(({ measure }) => measure === rows[0]?.measure)
  return (
    <Chart<ByCategory>
      title={t.byField({ field: fieldName(field), direction: directionName(direction) })}
      spec={spec}
      table={{
        columns: [
          { title: fieldName(field), value: ({ category }) => category },
          { title: t.figure, value: ({ measure }) => metricName(measure) },
          { title: '%', value: ({ cell: { value } }) => value, format: figure },
          { title: t.low, value: ({ cell: { low } }) => low, format: figure },
          { title: t.high, value: ({ cell: { high } }) => high, format: figure },
          { title: 'n', value: ({ cell: { n } }) => n },
        ],
        rows,
      }}
      n={counted.map(({ category, cell: { n } }) => `${category}: n = ${n ?? 0}`).join(', ')}
      how={t.howByField}
    />
  )
}

interface RanksProps {
  evaluation: Evaluation
  direction: string
  field: string | undefined
}

/** Every right item at its rank: a row for all of them and one for each category, or a row for each direction. */
function Ranks({ evaluation: { ranks, categories }, direction, field }: RanksProps) {
  const counts = useMemo(() => {
    const rowsOf = (way: string, category: string, row: string): RanksOfRow[] =>
      (ranks[way] ?? []).filter((each) => each.category === category).map((each) => ({ ...each, row }))
    if (field === undefined) return Object.keys(ranks).flatMap((way) => rowsOf(way, '', directionName(way)))
    const own = inOrder(categories.filter((each) => each.field === field))
    return [
      ...rowsOf(direction, '', t.all),
      ...own.flatMap(({ name, value }) => rowsOf(direction, name, valueName(value))),
    ]
  }, [ranks, categories, direction, field])
  const spec = useMemo(() => ranksSpec(counts), [counts])
  if (counts.length === 0) return null
  const sums = new Map<string, number>()
  for (const { row, n } of counts) sums.set(row, (sums.get(row) ?? 0) + n)
  return (
    <Chart<RanksOfRow>
      title={field === undefined ? t.ranks : t.ranksOf({ direction: directionName(direction) })}
      spec={spec}
      table={{
        columns: [
          { title: field === undefined ? t.direction : fieldName(field), value: ({ row }) => row },
          { title: t.rank, value: ({ from, to }) => (from === to ? String(from) : `${from}–${to ?? ''}`) },
          { title: t.items, value: ({ n }) => n },
          { title: t.share, value: ({ row, n }) => n / Math.max(1, sums.get(row) ?? 1), format: formatShare },
        ],
        rows: counts,
      }}
      n={[...sums].map(([row, n]) => `${row}: ${t.nItems({ n })}`).join(', ')}
      how={t.howRanks}
    />
  )
}
