import { useMemo } from 'react'
import { Later } from '@/components/burn-down/later'
import { Chart } from '@/components/chart/chart'
import { bandedLine, dayAxis } from '@/components/chart/chart-marks'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { Overview } from '@/lib/api/served'
import { formatDay } from '@/lib/format/day'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/overview'
import type { Words } from '../state/labels'
import { formatAlpha } from '../state/words'

type Day = Overview['agreement']['trend'][number]

/** Whether people agree more than before. */
export function AgreementByDay({ overview: { agreement, today }, words }: { overview: Overview; words: Words }) {
  const { trend, n_items: pairs, n_judgments: answers } = agreement
  const spec = useMemo(() => specOf(trend, today), [trend, today])
  if (trend.length < 2) return <Later title={t.agreementByDay}>{words.laterAgreement}</Later>
  return (
    <Chart<Day>
      title={t.agreementByDay}
      spec={spec}
      table={{
        columns: [
          { title: t.day, value: ({ day }) => day },
          { title: t.value, value: ({ value }) => value, format: formatAlpha },
          { title: t.low, value: ({ low }) => low, format: formatAlpha },
          { title: t.high, value: ({ high }) => high, format: formatAlpha },
          { title: words.judged, value: ({ n_items: n }) => n, format: formatCount },
        ],
        rows: trend,
      }}
      n={t.nCaptions({ captions: words.judgedN({ n: pairs }), answers: t.answersN({ n: answers }) })}
      how={t.howAgreement}
    />
  )
}

function specOf(trend: readonly Day[], today: string): ChartSpec {
  const points = trend.map((day) => ({ ...day, at: new Date(day.day) }))
  const isBelow = trend.some(({ value, low }) => (value ?? 0) < 0 || (low ?? 0) < 0)
  const ticks = [...(isBelow ? [-0.2] : []), 0, 0.2, 0.4, 0.6, 0.8, 1]
  return (plot, width) => ({
    width,
    height: 260,
    marginLeft: 36,
    marginRight: 24,
    x: dayAxis(
      points.map(({ at }) => at),
      width,
    ),
    y: {
      domain: [isBelow ? -0.2 : 0, 1],
      ticks,
      tickFormat: (value: number) => formatAlpha(value),
      label: null,
      clamp: true,
    },
    marks: [
      plot.gridY(ticks, { stroke: 'var(--line)', strokeOpacity: 1 }),
      ...bandedLine(plot, points, {
        colour: 'var(--curve-1)',
        title: ({ at, value, low, high }) =>
          [
            `${formatDay(at.toISOString().slice(0, 10), today)}: ${formatAlpha(value ?? 0)}`,
            low !== null && high !== null ? t.boundsOf({ low: formatAlpha(low), high: formatAlpha(high) }) : '',
          ]
            .filter(Boolean)
            .join('\n'),
      }),
    ],
  })
}
