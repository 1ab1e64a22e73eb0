import { useCallback } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec, ChartTable } from '@/components/chart/chart-types'
import type { FeedbackEffect } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/remarks'
import { effectInWords, kindOf, nAnswers, percentPoints, shareInWords } from './effect-words'

const rowHeight = 34

export interface EffectChartProps {
  effects: readonly FeedbackEffect[]
  /** Whether each line says whose answers it is about. */
  namesPeople: boolean
  /** Under the heading of a page's part. */
  isSub?: boolean
}

/** What feedback changed: the answers before and after each kind of it, with the difference in its interval. */
export function EffectChart({ effects, namesPeople, isSub = false }: EffectChartProps) {
  const spec = useCallback<ChartSpec>(
    (plot, width) => forest(plot, width, effects, namesPeople),
    [effects, namesPeople],
  )
  const n = effects.reduce((sum, { before, after }) => sum + (before?.n ?? 0) + (after?.n ?? 0), 0)
  return (
    <Chart
      title={t.effectTitle}
      isSub={isSub}
      spec={spec}
      table={tableOf(effects)}
      n={t.effectN({ n: formatCount(n) })}
      how={t.effectHow({ n: nAnswers })}
    />
  )
}

interface ForestRow {
  at: number
  effect: FeedbackEffect
}

/** One line for each person and kind: the difference in its interval, and both shares in words. */
function forest(
  plot: Parameters<ChartSpec>[0],
  width: number,
  effects: readonly FeedbackEffect[],
  namesPeople: boolean,
): ReturnType<ChartSpec> {
  const isNarrow = width < 560
  const rows = effects.map((effect, at) => ({ at, effect, ...effect.difference }))
  const told = rows.filter(({ effect }) => effect.difference !== null)
  const name = (row: ForestRow) =>
    namesPeople ? t.effectOf({ name: row.effect.annotator.name, kind: kindOf(row.effect) }) : kindOf(row.effect)
  return {
    height: 72 + rows.length * rowHeight * (isNarrow ? 1.5 : 1),
    marginLeft: isNarrow ? 12 : 230,
    marginRight: isNarrow ? 12 : 200,
    marginTop: 28,
    marginBottom: 44,
    x: {
      domain: [-1, 1],
      label: t.effectAxis,
      ticks: [-1, -0.5, 0, 0.5, 1],
      tickFormat: (value: number) => percentPoints(value),
    },
    y: { domain: rows.map(({ at }) => at), axis: null, padding: 0.4 },
    marks: [
      plot.ruleX([0], { stroke: 'var(--line-strong)' }),
      plot.link(told, { y1: 'at', y2: 'at', x1: 'low', x2: 'high', stroke: 'var(--curve-1)', strokeWidth: 2 }),
      plot.dot(told, {
        y: 'at',
        x: 'value',
        r: 4,
        fill: 'var(--curve-1)',
        title: (row: ForestRow) => effectInWords(row.effect),
      }),
      plot.text(
        rows.filter(({ effect }) => effect.difference === null),
        { y: 'at', x: () => 0, dx: 8, textAnchor: 'start', text: () => t.notEnough, fill: 'var(--text-muted)' },
      ),
      plot.text(rows, {
        y: 'at',
        frameAnchor: 'left',
        text: name,
        fill: 'var(--text)',
        stroke: 'var(--ground)',
        strokeWidth: 4,
        ...(isNarrow ? { dy: -14, textAnchor: 'start' } : { dx: -12, textAnchor: 'end' }),
      }),
      plot.text(rows, {
        y: 'at',
        frameAnchor: 'right',
        text: ({ effect }: ForestRow) =>
          t.beforeAfter({ before: shareInWords(effect.before), after: shareInWords(effect.after) }),
        fill: 'var(--text-muted)',
        stroke: 'var(--ground)',
        strokeWidth: 4,
        ...(isNarrow ? { dy: -14, textAnchor: 'end' } : { dx: 12, textAnchor: 'start' }),
      }),
    ],
  }
}

function tableOf(effects: readonly FeedbackEffect[]): ChartTable<FeedbackEffect> {
  const side = (name: 'before' | 'after') => (effect: FeedbackEffect) => {
    const share = effect[name]
    return share && t.shareOf({ share: shareInWords(share), k: share.k, n: share.n })
  }
  return {
    rows: effects,
    columns: [
      { title: t.annotatorFilter, value: (effect) => effect.annotator.name },
      { title: t.template, value: kindOf },
      { title: t.messages, value: (effect) => effect.n_remarks },
      { title: t.shareBefore, value: side('before') },
      { title: t.after, value: side('after') },
      { title: t.difference, value: (effect) => effect.difference && effectInWords(effect) },
      {
        title: t.comparedWith,
        value: (effect) => (effect.compared_with === 'verdicts' ? t.withDecisions : t.withMajority),
      },
    ],
  }
}
