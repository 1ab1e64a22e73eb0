import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { CalibratedModel } from '@/lib/api/served'
import { formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/models'

interface Row {
  model: string
  precision: number
  recall: number
  f1: number
}

const figure = (value: number) => formatDecimal(value, 3)

/** How well each model tells fitting captions from others at its threshold, the best first. */
export function ModelFigures({ models }: { models: readonly CalibratedModel[] }) {
  const rows = useMemo(
    () =>
      models
        .flatMap(({ model, figures }): Row[] => (figures ? [{ model, ...figures }] : []))
        .sort((a, b) => b.f1 - a.f1),
    [models],
  )
  const spec = useMemo(() => spansOf(rows), [rows])
  if (rows.length === 0) return null
  return (
    <Chart<Row>
      title={t.figuresOfModels}
      spec={spec}
      table={{
        columns: [
          { title: t.model, value: ({ model }) => model },
          { title: t.f1, value: ({ f1 }) => f1, format: figure },
          { title: t.precision, value: ({ precision }) => precision, format: figure },
          { title: t.recall, value: ({ recall }) => recall, format: figure },
        ],
        rows,
      }}
      n={t.nModels({ n: rows.length })}
      how={t.howFigures}
    />
  )
}

const rowHeight = 30

/** A line from precision to recall with F1 as its dot; the first row has the words. */
const spansOf =
  (rows: readonly Row[]): ChartSpec =>
  (plot, width) => {
    const first = rows.slice(0, 1)
    const word = { y: 'model', dy: -14, fill: 'var(--text-muted)' } as const
    const ends = first.flatMap(({ model, precision, recall }) => [
      { model, at: precision, name: t.precision, isLeft: precision <= recall },
      { model, at: recall, name: t.recall, isLeft: recall < precision },
    ])
    return {
      width,
      height: rows.length * rowHeight + 56,
      marginLeft: 132,
      marginRight: 24,
      marginTop: 24,
      marginBottom: 32,
      x: { domain: [0, 1], label: null, grid: true, ticks: 5 },
      y: { domain: rows.map(({ model }) => model), label: null, tickSize: 0 },
      marks: [
        plot.link(rows, {
          x1: 'precision',
          x2: 'recall',
          y1: 'model',
          y2: 'model',
          stroke: 'var(--curve-1)',
          strokeOpacity: 0.35,
          strokeWidth: 6,
          strokeLinecap: 'round',
        }),
        plot.dot(rows, { x: 'f1', y: 'model', r: 5, fill: 'var(--curve-1)', stroke: 'var(--ground)' }),
        plot.text(
          ends.filter(({ isLeft }) => isLeft),
          { ...word, x: 'at', text: 'name', textAnchor: 'end', dx: -4 },
        ),
        plot.text(
          ends.filter(({ isLeft }) => !isLeft),
          { ...word, x: 'at', text: 'name', textAnchor: 'start', dx: 4 },
        ),
        plot.text(rows, {
          x: ({ precision, recall }: Row) => Math.max(precision, recall),
          y: 'model',
          text: ({ f1 }: Row) => `F1 ${formatDecimal(f1, 2)}`,
          textAnchor: 'start',
          dx: 10,
          fill: 'var(--text)',
        }),
      ],
    }
  }
