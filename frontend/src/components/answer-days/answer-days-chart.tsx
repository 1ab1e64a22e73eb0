import { type ReactNode, useMemo } from 'react'
import { fewestDays, oneDay } from '@/components/burn-down/burn-down'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import { stackedRows } from '@/components/chart/stacked-rows'
import type { Label } from '@/lib/api/contract'
import { formatDay } from '@/lib/format/day'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/overview'
import { type AnswerDay, labelColours, labels, totalOf } from './answer-days'

export interface AnswerDaysProps {
  title: string
  days: readonly AnswerDay[]
  /** The last day of the drawing. */
  today: string
  labelWords: Readonly<Record<Label, string>>
  how: string
  lead?: ReactNode
  height?: number
}

/** How many answers came on each day, by label. */
export function AnswerDaysChart({ title, days, today, labelWords, how, lead, height }: AnswerDaysProps) {
  const spec = useMemo(() => {
    const worked = days.filter((day) => totalOf(day.labels) > 0)
    if (worked.length < fewestDays) return rowsOf(worked, today)
    return specOf({ days, today, labelWords, ...(height !== undefined && { height }) })
  }, [days, today, labelWords, height])
  const n = days.reduce((sum, day) => sum + totalOf(day.labels), 0)
  return (
    <Chart<AnswerDay>
      title={title}
      spec={spec}
      table={{
        columns: [
          { title: t.day, value: ({ day }) => day },
          { title: t.answers, value: (day) => totalOf(day.labels), format: formatCount },
          { title: labelWords.good, value: (day) => day.labels.good, format: formatCount },
          { title: labelWords.bad, value: (day) => day.labels.bad, format: formatCount },
          { title: labelWords.unsure, value: (day) => day.labels.unsure, format: formatCount },
        ],
        rows: days,
      }}
      n={t.nAnswersDays({ answers: t.answersN({ n }), days: t.daysN({ n: days.length }) })}
      how={how}
      lead={lead}
    />
  )
}

/** One bar for each day: on an axis of days two bars would stand in an empty field. */
function rowsOf(days: readonly AnswerDay[], today: string): ChartSpec {
  const rows = days.map((day) => ({
    name: formatDay(day.day, today),
    parts: labels.map((label) => ({
      size: day.labels[label],
      fill: labelColours[label],
      said: formatCount(day.labels[label]),
    })),
    end: formatCount(totalOf(day.labels)),
  }))
  return stackedRows(rows, { max: Math.max(...days.map((day) => totalOf(day.labels))) })
}

function specOf({ days, today, labelWords, height = 220 }: Omit<AnswerDaysProps, 'title' | 'how'>): ChartSpec {
  const bars = days.flatMap((day) => {
    const at = Date.parse(day.day)
    let below = 0
    return labels.map((label) => {
      const [y1, y2] = [below, below + day.labels[label]]
      below = y2
      return { label, y1, y2, from: new Date(at), to: new Date(at + oneDay) }
    })
  })
  const tops = days.map((day) => ({
    ...day,
    n: totalOf(day.labels),
    middle: new Date(Date.parse(day.day) + oneDay / 2),
  }))
  const ticks = Math.max(1, Math.min(4, Math.max(0, ...tops.map(({ n }) => n)))) // whole answers
  const [first, last] = [Date.parse(days[0]?.day ?? today), Date.parse(today) + oneDay]
  const start = Math.min(first, last - 7 * oneDay)
  return (plot, width) => ({
    width,
    height,
    marginLeft: 52,
    marginRight: 28,
    x: {
      type: 'utc',
      domain: [new Date(start), new Date(last)],
      ticks: Math.max(2, Math.min(Math.floor(width / 110), (last - start) / oneDay)),
      tickFormat: (at: Date) => formatDay(at.toISOString().slice(0, 10), today),
      label: null,
    },
    y: { ticks, tickFormat: formatCount, label: null },
    marks: [
      plot.gridY({ ticks, stroke: 'var(--line)', strokeOpacity: 1 }),
      ...labels.map((label) =>
        plot.rect(
          bars.filter((bar) => bar.label === label),
          { x1: 'from', x2: 'to', y1: 'y1', y2: 'y2', fill: labelColours[label], inset: 0.5 },
        ),
      ),
      plot.ruleY([0], { stroke: 'var(--line-strong)' }),
      plot.tip(
        tops,
        plot.pointerX({
          x: 'middle',
          y: 'n',
          title: (day: (typeof tops)[number]) =>
            [
              `${formatDay(day.day, today)}: ${t.answersN({ n: day.n })}`,
              ...labels.map((label) => `${labelWords[label]}: ${formatCount(day.labels[label])}`),
            ].join('\n'),
        }),
      ),
    ],
  })
}
