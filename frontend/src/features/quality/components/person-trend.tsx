import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import { bandedLine, dayAxis } from '@/components/chart/chart-marks'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { PersonDay, PersonFigures, Share } from '@/lib/api/figures'
import { formatDuration } from '@/lib/format/duration'
import { formatDecimal, formatShare } from '@/lib/format/numbers'
import { dayOf } from '@/lib/format/time'
import { t } from '@/messages/quality'

/** Test questions and agreement day by day, with a line where feedback was sent. */
export function PersonTrend({ figures: { days: trend, feedback_at: sent } }: { figures: PersonFigures }) {
  const spec = useMemo(() => trendOf(trend, sent), [trend, sent])
  const n = trend.reduce((sum, day) => sum + day.n, 0)
  return (
    <Chart<PersonDay>
      title={t.trendByDay}
      spec={spec}
      table={{
        columns: [
          { title: t.day, value: ({ day }) => day },
          { title: t.judgments, value: (day) => day.n },
          { title: t.controlsPassed, value: ({ controls }) => controls?.share ?? null, format: formatShare },
          { title: t.ofTestQuestions, value: ({ controls }) => controls?.n ?? null },
          { title: t.withMost, value: ({ with_consensus: share }) => share?.share ?? null, format: formatShare },
          { title: t.ofCompared, value: ({ with_consensus: share }) => share?.n ?? null },
          { title: t.secondsEach, value: ({ seconds_median: s }) => s, format: (s) => formatDecimal(s, 1) },
          { title: t.activeTime, value: ({ active_seconds: s }) => s, format: formatDuration },
        ],
        rows: trend,
      }}
      n={t.nAnswersDays({ answers: t.judgmentsN({ n }), days: t.daysN({ n: trend.length }) })}
      how={sent.length > 0 ? `${t.howPersonTrend} ${t.linesAreFeedback}` : t.howPersonTrend}
    />
  )
}

const pointOf = (day: string, share: Share | null) => ({
  at: new Date(day),
  value: share?.share ?? null,
  low: share?.low ?? null,
  high: share?.high ?? null,
})

const titleOf =
  (name: string, shares: ReadonlyMap<number, Share | null>) =>
  ({ at }: { at: Date }) => {
    const share = shares.get(at.getTime())
    if (!share) return ''
    return `${dayOf(at.toISOString().slice(0, 10))}\n${name}: ${formatShare(share.share)} (${t.kOfN(share)})`
  }

function trendOf(trend: readonly PersonDay[], sent: readonly string[]): ChartSpec {
  const series = [
    { name: t.controlsShort, colour: 'var(--curve-2)', of: ({ controls }: PersonDay) => controls },
    { name: t.agreesShort, colour: 'var(--curve-1)', of: ({ with_consensus: share }: PersonDay) => share },
  ]
  const ticks = [...new Set(sent.map((at) => at.slice(0, 10)))].map((day) => new Date(day))
  const days = trend.map(({ day }) => new Date(day))
  const [first, second] = series.map(({ of }) => trend.map(of).findLast((share) => share !== null)?.share ?? 0)
  const apart = Math.abs((first ?? 0) - (second ?? 0)) < 0.1 ? 8 : 0
  return (plot, width) => ({
    width,
    height: 240,
    marginLeft: 44,
    marginRight: 130,
    marginTop: 24,
    x: dayAxis(days, width - 170),
    y: { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], tickFormat: formatShare, label: null },
    marks: [
      plot.gridY([0, 0.25, 0.5, 0.75, 1], { stroke: 'var(--line)', strokeOpacity: 1 }),
      plot.ruleX(ticks, { stroke: 'var(--curve-3)', strokeDasharray: '3 3' }),
      plot.text(ticks.slice(0, 1), {
        x: (at: Date) => at,
        frameAnchor: 'top',
        dy: -12,
        text: () => t.feedbackShort,
        fill: 'var(--curve-3)',
      }),
      ...series.flatMap(({ name, colour, of }, place) =>
        bandedLine(
          plot,
          trend.map((day) => pointOf(day.day, of(day))),
          {
            colour,
            label: name,
            labelDy: (first ?? 0) >= (second ?? 0) === (place === 0) ? -apart : apart,
            title: titleOf(name, new Map(trend.map((day) => [Date.parse(day.day), of(day)]))),
          },
        ),
      ),
    ],
  })
}
