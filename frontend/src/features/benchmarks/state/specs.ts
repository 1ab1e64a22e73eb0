import type { ChartSpec } from '@/components/chart/chart-types'
import { formatCount, formatWholeShare } from '@/lib/format/numbers'
import { t } from '@/messages/benchmarks'
import type { Cell, Figure, RankCount } from '../api/shapes'
import type { BoardRow } from './board'
import { formatMetric, metricName } from './metrics'

const clip = (name: string, most = 22): string => (name.length > most ? `${name.slice(0, most - 1)}…` : name)
const colours = ['var(--curve-1)', 'var(--curve-2)', 'var(--curve-3)']
const halo = { stroke: 'var(--ground)', strokeWidth: 4 }

/** The models from the top, each with its interval. */
export const leaderSpec =
  (rows: readonly BoardRow[], column: string, measure: string): ChartSpec =>
  (plot, width) => {
    const points = rows.flatMap((row) => {
      const cell = row.cells[column]
      return cell?.value == null ? [] : [{ ...cell, id: row.id, isPublished: !row.measured }]
    })
    const named = new Map(rows.map(({ id, model }) => [id, model]))
    return {
      width,
      height: 48 + 28 * points.length,
      marginLeft: Math.min(170, width / 2.4),
      marginRight: 48,
      marginTop: 4,
      x: {
        label: metricName(measure),
        grid: true,
        nice: true,
        ticks: 4,
        tickFormat: (value: number) => formatMetric(measure, value),
      },
      y: {
        domain: points.map(({ id }) => id),
        label: null,
        tickSize: 0,
        tickFormat: (id: string) => clip(named.get(id) ?? id),
      },
      marks: [
        plot.link(
          points.filter(({ low }) => low !== null),
          { x1: 'low', x2: 'high', y1: 'id', y2: 'id', stroke: 'var(--line-strong)', strokeWidth: 2 },
        ),
        plot.dot(points, {
          x: 'value',
          y: 'id',
          r: 4.5,
          fill: ({ isPublished }: { isPublished: boolean }) => (isPublished ? 'var(--ground)' : 'var(--curve-1)'),
          stroke: 'var(--curve-1)',
          strokeWidth: 1.5,
        }),
        plot.text(points, {
          x: ({ value, high }: Figure) => high ?? value,
          y: 'id',
          text: ({ value }: Figure) => (value === null ? '' : formatMetric(measure, value)),
          textAnchor: 'start',
          dx: 8,
          fill: 'var(--text)',
          ...halo,
        }),
      ],
    }
  }

export interface CurveOfQueries {
  label: string
  /** Pairs of x and y. */
  points: readonly number[][]
}

/** hit@k by k on a logarithmic scale, or precision by recall. */
export const curvesSpec =
  (curves: readonly CurveOfQueries[], isOfPairs: boolean): ChartSpec =>
  (plot, width) => ({
    width,
    height: Math.min(340, Math.max(240, width * 0.6)),
    marginLeft: 44,
    marginRight: 20,
    marginTop: 20,
    marginBottom: 40,
    x: isOfPairs
      ? { domain: [0, 1], label: t.recall, grid: true }
      : { type: 'log', label: t.k, grid: true, tickFormat: (value: number) => formatCount(value), ticks: width < 420 ? 3 : 5 },
    y: { domain: [0, 1], label: isOfPairs ? t.precision : 'hit@k', grid: true, tickFormat: formatWholeShare },
    marks: curves.flatMap(({ label, points }, place) => {
      const colour = colours[place % colours.length] ?? 'currentColor'
      // Two curves come together at the end, so each is named in a place of its own.
      const at = points[Math.floor((points.length - 1) * (place % 2 ? 0.55 : 0.25))]
      return [
        plot.line(points, { x: '0', y: '1', stroke: colour, strokeWidth: 2 }),
        ...(isOfPairs ? [] : [plot.dot(points, { x: '0', y: '1', fill: colour, r: 2.5 })]),
        ...(at ? [plot.text([at], { x: '0', y: '1', text: () => label, fill: colour, dy: place % 2 ? 16 : -14, ...halo })] : []),
      ]
    }),
  })

export interface ByCategory {
  measure: string
  /** As it is said: "hard". */
  category: string
  cell: Cell
}

/** Each figure over the categories of one field, with intervals. */
export const fieldSpec =
  (rows: readonly ByCategory[]): ChartSpec =>
  (plot, width) => {
    const measures = [...new Set(rows.map(({ measure }) => measure))]
    const points = rows.map(({ cell, ...row }) => ({ ...row, ...cell }))
    return {
      width,
      height: Math.min(320, Math.max(240, width * 0.6)),
      marginLeft: 44,
      marginRight: 84,
      marginTop: 20,
      marginBottom: 40,
      x: {
        type: 'point',
        domain: [...new Set(rows.map(({ category }) => category))],
        label: null,
        tickFormat: (category: string) => clip(category, 14),
      },
      y: { domain: [0, 1], grid: true, label: null, tickFormat: formatWholeShare },
      marks: measures.flatMap((measure, place) => {
        const colour = colours[place % colours.length] ?? 'currentColor'
        const own = points.filter((point) => point.measure === measure && point.value !== null)
        return [
          plot.ruleX(
            own.filter(({ low }) => low !== null),
            { x: 'category', y1: 'low', y2: 'high', stroke: colour, strokeOpacity: 0.5 },
          ),
          plot.line(own, { x: 'category', y: 'value', stroke: colour, strokeWidth: 2 }),
          plot.dot(own, { x: 'category', y: 'value', fill: colour, r: 3.5 }),
          plot.text(own.slice(-1), {
            x: 'category',
            y: 'value',
            text: () => metricName(measure),
            textAnchor: 'start',
            dx: 10,
            // A larger k is above: the names keep apart where the figures are close.
            dy: 9 * (1 - place),
            fill: colour,
            ...halo,
          }),
        ]
      }),
    }
  }

export interface RanksOfRow extends RankCount {
  /** As it is said: "Image to text", or "hard". */
  row: string
}

/** Where the circle of some ranks is drawn: their geometric middle. */
const middleOf = ({ from, to }: RankCount): number => Math.sqrt(from * (to ?? from))

/** The ranks that the middle one of all right items is among; of an even number the lower one. */
export function medianRank<Count extends Pick<RankCount, 'from' | 'n'>>(counts: readonly Count[]): Count | null {
  const total = counts.reduce((sum, { n }) => sum + n, 0)
  let seen = 0
  for (const count of counts.toSorted((a, b) => a.from - b.from)) {
    seen += count.n
    if (2 * seen >= total && total > 0) return count
  }
  return null
}

/** Rows of circles: how many right items have each rank. The smallest circle is a single item. */
export const ranksSpec =
  (counts: readonly RanksOfRow[]): ChartSpec =>
  (plot, width) => {
    const rows = [...new Set(counts.map(({ row }) => row))]
    const largest = Math.max(1, ...counts.map(({ n }) => n))
    const medians = rows.flatMap((row) => medianRank(counts.filter((each) => each.row === row)) ?? [])
    return {
      width,
      height: 52 + 44 * rows.length,
      marginLeft: Math.min(110, width / 3.4),
      marginRight: 20,
      marginTop: 12,
      marginBottom: 40,
      x: {
        type: 'log',
        domain: [0.8, Math.max(10, ...counts.map(({ from, to }) => to ?? from))],
        label: t.rank,
        grid: true,
        ticks: width < 420 ? 3 : 5,
        tickFormat: (value: number) => (value < 1 ? '' : formatCount(value)),
      },
      y: { type: 'band', domain: rows, label: null, tickSize: 0, tickFormat: (row: string) => clip(row, 15) },
      r: { type: 'sqrt', domain: [0, largest], range: [2, Math.min(18, 3 + 3 * Math.sqrt(largest))] },
      marks: [
        plot.dot(
          counts.filter(({ n }) => n > 0),
          { x: middleOf, y: 'row', r: 'n', fill: 'var(--curve-1)', fillOpacity: 0.5 },
        ),
        plot.tickX(medians, { x: middleOf, y: 'row', stroke: 'var(--curve-3)', strokeWidth: 2.5 }),
      ],
    }
  }
