import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { DifficultyPolicy } from '@/lib/api/served'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/difficulty'
import { categoryColours, categoryWords, cutsInWords, ruleName, type SliceRow, slicesOf } from '../state/categories'

/** A bar for each of hard, medium and easy, with its words and figures beside it. */
export function CategoryBars({ policy, nModels }: { policy: DifficultyPolicy; nModels: number }) {
  const rows = useMemo(() => slicesOf(policy), [policy])
  const spec = useMemo(() => barsOf(rows), [rows])
  const n = rows.reduce((sum, row) => sum + row.n, 0)
  return (
    <Chart<SliceRow>
      title={t.byCategory}
      spec={spec}
      table={{
        columns: [
          { title: t.category, value: ({ slice }) => categoryWords[slice] },
          { title: t.captions, value: (row) => row.n, format: formatCount },
          { title: t.share, value: ({ share }) => share, format: formatShare },
        ],
        rows,
      }}
      n={t.nCaptions({ n })}
      how={t.howBars({ rule: `${ruleName(policy.policy)} (${cutsInWords(policy)})`, models: nModels })}
    />
  )
}

const barHeight = 56

const barsOf =
  (rows: readonly SliceRow[]): ChartSpec =>
  (plot, width) => ({
    width,
    height: rows.length * barHeight + 16,
    marginLeft: 96,
    marginRight: 96,
    marginTop: 8,
    marginBottom: 8,
    x: { domain: [0, Math.max(1, ...rows.map(({ n }) => n))], axis: null },
    y: { domain: rows.map(({ slice }) => slice), axis: null, padding: 0.3 },
    marks: [
      plot.barX(rows, { x: 'n', y: 'slice', fill: ({ slice }: SliceRow) => categoryColours[slice], rx: 2 }),
      plot.ruleX([0], { stroke: 'var(--line-strong)' }),
      plot.text(rows, {
        x: 0,
        y: 'slice',
        text: ({ slice }: SliceRow) => categoryWords[slice],
        textAnchor: 'end',
        dx: -10,
        fill: 'var(--text)',
        fontSize: 15,
      }),
      plot.text(rows, {
        x: 'n',
        y: 'slice',
        text: ({ n, share }: SliceRow) => `${formatCount(n)} · ${formatShare(share)}`,
        textAnchor: 'start',
        dx: 8,
        fill: 'var(--text)',
        fontSize: 15,
      }),
    ],
  })
