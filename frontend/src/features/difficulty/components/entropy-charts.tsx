import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { CategoryEntropy } from '@/lib/api/served'
import { formatCount, formatDecimal, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/difficulty'
import { categoryColours, categoryWords } from '../state/categories'

const bits = (value: number) => formatDecimal(value, 2)

/** Whether people disagree more about captions that are hard for models: the means, and the spread behind them. */
export function EntropyCharts({ rows }: { rows: readonly CategoryEntropy[] }) {
  const bins = useMemo(() => binsOf(rows), [rows])
  const means = useMemo(() => meansOf(rows), [rows])
  const spread = useMemo(() => spreadOf(bins), [bins])
  const n = rows.reduce((sum, row) => sum + row.n, 0)
  if (n === 0) return null
  return (
    <>
      <Chart<CategoryEntropy>
        title={t.entropyTitle}
        spec={means}
        table={{
          columns: [
            { title: t.category, value: ({ category }) => categoryWords[category] },
            { title: t.captions, value: (row) => row.n, format: formatCount },
            { title: t.entropy, value: ({ mean }) => mean, format: bits },
            { title: t.low, value: ({ low }) => low, format: bits },
            { title: t.high, value: ({ high }) => high, format: bits },
          ],
          rows,
        }}
        n={t.nCaptions({ n })}
        how={t.howEntropy}
      />
      <Chart<Bin>
        title={t.spreadTitle}
        spec={spread}
        table={{
          columns: [
            { title: t.category, value: ({ category }) => categoryWords[category] },
            { title: t.spreadFrom, value: ({ from }) => from, format: bits },
            { title: t.spreadTo, value: ({ to }) => to, format: bits },
            { title: t.captions, value: (bin) => bin.n, format: formatCount },
            { title: t.share, value: ({ share }) => share, format: formatShare },
          ],
          rows: bins,
        }}
        n={t.nCaptions({ n })}
        how={t.howSpread}
      />
    </>
  )
}

interface Bin {
  category: CategoryEntropy['category']
  from: number
  to: number
  n: number
  share: number
}

function binsOf(rows: readonly CategoryEntropy[]): Bin[] {
  return rows.flatMap(({ category, bins, n }) =>
    bins.map((count, place) => ({
      category,
      from: (place * Math.log2(3)) / bins.length,
      to: ((place + 1) * Math.log2(3)) / bins.length,
      n: count,
      share: n === 0 ? 0 : count / n,
    })),
  )
}

const inOrder = ['easy', 'medium', 'hard'] as const
const nameOf = ({ category }: { category: CategoryEntropy['category'] }) => categoryWords[category]
const colourOf = ({ category }: { category: CategoryEntropy['category'] }) => categoryColours[category]
const domain = inOrder.map((category) => categoryWords[category])

const meansOf =
  (rows: readonly CategoryEntropy[]): ChartSpec =>
  (plot, width) => ({
    width,
    height: 170,
    marginLeft: 72,
    marginBottom: 40,
    marginRight: 48,
    x: { domain: [0, 1.6], label: t.entropy, grid: true },
    y: { domain, label: null },
    marks: [
      plot.ruleY(
        rows.filter(({ low }) => low !== null),
        { y: nameOf, x1: 'low', x2: 'high', stroke: colourOf, strokeWidth: 3 },
      ),
      plot.dot(
        rows.filter(({ mean }) => mean !== null),
        { y: nameOf, x: 'mean', r: 5, fill: colourOf },
      ),
    ],
  })

const spreadOf =
  (bins: readonly Bin[]): ChartSpec =>
  (plot, width) => ({
    width,
    height: 260,
    marginLeft: 48,
    marginRight: 72,
    marginBottom: 40,
    x: { domain: [0, 1.6], label: t.entropy },
    y: { percent: true, ticks: 2, tickFormat: (value: number) => formatShare(value / 100), label: null, grid: true },
    fy: { domain, label: null, padding: 0.2 },
    marks: [plot.rectY(bins, { x1: 'from', x2: 'to', y: 'share', fy: nameOf, fill: colourOf, inset: 1 })],
  })
