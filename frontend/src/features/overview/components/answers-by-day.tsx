import { useMemo } from 'react'
import { oneDay } from '@/components/burn-down/burn-down'
import { Later } from '@/components/burn-down/later'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { Overview } from '@/lib/api/served'
import { formatDay } from '@/lib/format/day'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/overview'
import type { Words } from '../state/labels'
import { labelColours, labels, totalOf } from '../state/words'
import { LabelSplit } from './label-split'

type Day = Overview['days'][number]

/** How many answers came on each day, by label. */
export function AnswersByDay({
  overview: { days, today, labels: counts },
  words,
}: {
  overview: Overview
  words: Words
}) {
  const spec = useMemo(() => specOf(days, today, words), [days, today, words])
  const n = days.reduce((sum, day) => sum + totalOf(day.labels), 0)
  if (n === 0) return <Later title={t.answersByDay}>{t.noPeopleHint}</Later>
  return (
    <Chart<Day>
      title={t.answersByDay}
      spec={spec}
      table={{
        columns: [
          { title: t.day, value: ({ day }) => day },
          { title: t.answers, value: (day) => totalOf(day.labels), format: formatCount },
          { title: words.labels.good, value: (day) => day.labels.good, format: formatCount },
          { title: words.labels.bad, value: (day) => day.labels.bad, format: formatCount },
          { title: words.labels.unsure, value: (day) => day.labels.unsure, format: formatCount },
        ],
        rows: days,
      }}
      n={t.nAnswersDays({ answers: t.answersN({ n }), days: t.daysN({ n: days.length }) })}
      how={t.howAnswersByDay}
      lead={<LabelSplit counts={counts} words={words} />}
    />
  )
}

function specOf(days: readonly Day[], today: string, words: Words): ChartSpec {
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
  const [first, last] = [Date.parse(days[0]?.day ?? today), Date.parse(today) + oneDay]
  const start = Math.min(first, last - 7 * oneDay)
  return (plot, width) => ({
    width,
    height: 220,
    marginLeft: 52,
    marginRight: 28,
    x: {
      type: 'utc',
      domain: [new Date(start), new Date(last)],
      ticks: Math.max(2, Math.min(Math.floor(width / 110), (last - start) / oneDay)),
      tickFormat: (at: Date) => formatDay(at.toISOString().slice(0, 10), today),
      label: null,
    },
    y: { ticks: 4, tickFormat: formatCount, label: null },
    marks: [
      plot.gridY({ ticks: 4, stroke: 'var(--line)', strokeOpacity: 1 }),
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
              ...labels.map((label) => `${words.labels[label]}: ${formatCount(day.labels[label])}`),
            ].join('\n'),
        }),
      ),
    ],
  })
}
