import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { EffectRow } from '@/lib/api/figures'
import { formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/quality'

/** Whether feedback helped: agreement with the head before and after, for each kind of feedback. */
export function EffectChart({ rows }: { rows: readonly EffectRow[] }) {
  const spec = useMemo(() => effectOf(rows), [rows])
  const n = rows.reduce((sum, row) => sum + row.n_remarks, 0)
  return (
    <Chart<EffectRow>
      title={t.effectOfFeedback}
      isSub
      spec={spec}
      table={{
        columns: [
          { title: t.kindOfFeedback, value: kindOf },
          { title: t.before, value: ({ before }) => before?.share ?? null, format: formatShare },
          { title: t.after, value: ({ after }) => after?.share ?? null, format: formatShare },
          { title: t.difference, value: ({ difference }) => difference?.value ?? null, format: points },
          { title: t.low, value: ({ difference }) => difference?.low ?? null, format: points },
          { title: t.high, value: ({ difference }) => difference?.high ?? null, format: points },
          { title: t.feedbackSent, value: (row) => row.n_remarks },
        ],
        rows,
      }}
      n={t.nFeedback({ n })}
      how={rows.some((row) => row.compared_with === 'majority') ? `${t.howEffect} ${t.howEffectMajority}` : t.howEffect}
    />
  )
}

const kindOf = ({ template }: EffectRow): string => template?.name ?? t.ownWords

/** "+12 points", of a difference of shares. */
function points(value: number): string {
  const rounded = Math.round(Math.abs(value) * 100)
  return rounded === 0 ? '0' : `${value < 0 ? '−' : '+'}${rounded}`
}

function effectOf(rows: readonly EffectRow[]): ChartSpec {
  const known = rows.filter(({ difference }) => difference?.value != null)
  const x = ({ difference }: EffectRow) => difference?.value ?? 0
  return (plot, width) => ({
    width,
    height: 46 + known.length * 30,
    marginLeft: 150,
    marginRight: 60,
    x: { domain: [-1, 1], tickFormat: points, label: t.differenceAxis, ticks: 5 },
    y: { domain: known.map(kindOf), label: null },
    marks: [
      plot.ruleX([0], { stroke: 'var(--line-strong)' }),
      plot.link(known, {
        x1: ({ difference }: EffectRow) => difference?.low ?? 0,
        x2: ({ difference }: EffectRow) => difference?.high ?? 0,
        y1: kindOf,
        y2: kindOf,
        stroke: 'var(--curve-1)',
        strokeOpacity: 0.35,
        strokeWidth: 8,
      }),
      plot.dot(known, { x, y: kindOf, fill: 'var(--curve-1)', r: 4 }),
      plot.text(known, {
        x: ({ difference }: EffectRow) => difference?.high ?? 0,
        y: kindOf,
        dx: 8,
        textAnchor: 'start',
        text: (row: EffectRow) => points(x(row)),
        fill: 'var(--text)',
      }),
    ],
  })
}
