import { useMemo } from 'react'
import { Later } from '@/components/burn-down/later'
import { Chart } from '@/components/chart/chart'
import { bandedLine, dayAxis } from '@/components/chart/chart-marks'
import type { ChartSpec } from '@/components/chart/chart-types'
import { Grid, Span } from '@/components/ui/grid'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Headline as Figure, TrendDay } from '@/lib/api/figures'
import { dayOf } from '@/lib/format/time'
import { inOurLanguage } from '@/lib/language/catalogue'
import { t } from '@/messages/quality'
import { useHeadline } from '../api/figures'
import { boundsOf, trendInWords, zoneOf, zones } from '../state/agreement-words'
import { formatFigure } from '../state/figures'
import styles from './headline.module.css'

/** The one figure of agreement on its scale, and day by day. */
export function Headline({ slug, isOfQueries }: { slug: string; isOfQueries: boolean }) {
  const { data, error, isPending, refetch } = useHeadline(slug)
  if (isPending) return <Skeleton label={t.agreementLoading} rows={4} />
  if (error) return <ErrorState error={error} title={t.agreementNotShown} onRetry={() => void refetch()} />
  const how = isOfQueries ? t.howAlphaOfQueries : t.howAlpha
  return (
    <Grid>
      <Span n={5}>
        <Whole figure={data} how={how} />
      </Span>
      <Span n={7}>
        <Trend trend={data.trend} how={how} />
      </Span>
    </Grid>
  )
}

const nOf = ({ n_items: n, n_judgments: answers }: Pick<Figure, 'n_items' | 'n_judgments'>): string =>
  t.nPairsAnswers({ pairs: t.pairsN({ n }), answers: t.judgmentsN({ n: answers }) })

function Whole({ figure, how }: { figure: Figure; how: string }) {
  const spec = useMemo(() => axisOf(figure), [figure])
  return (
    <Chart<Figure>
      title={t.agreementOfAll}
      spec={spec}
      table={{
        columns: [
          { title: t.figure, value: () => t.alphaNominal },
          { title: t.value, value: ({ value }) => value, format: formatFigure },
          { title: t.low, value: ({ low }) => low, format: formatFigure },
          { title: t.high, value: ({ high }) => high, format: formatFigure },
          { title: t.pairs, value: ({ n_items: n }) => n },
          { title: t.judgments, value: ({ n_judgments: n }) => n },
        ],
        rows: [figure],
      }}
      n={nOf(figure)}
      how={how}
      lead={
        <div>
          {figure.value === null ? (
            <p className={styles.figure}>
              — <span>{whyNone(figure)}</span>
            </p>
          ) : (
            <p className={styles.figure}>
              <b>{formatFigure(figure.value)}</b> {zoneOf(figure.value)} <span>{boundsOf(figure)}</span>
            </p>
          )}
          <p className={styles.remark}>{t.lowIsNotBad}</p>
        </div>
      }
    />
  )
}

const whyNone = ({ reason_code: code }: Figure): string => inOurLanguage(`figure_${code ?? ''}`, null, t.noFigureYet)

/** The scale from −0.2 to 1 with its words, the figure on it, and its interval as a band. */
function axisOf({ value, low, high }: Figure): ChartSpec {
  return (plot, width) => ({
    width,
    height: 84,
    marginTop: 22,
    marginBottom: 26,
    marginLeft: 14,
    marginRight: 14,
    x: { domain: [-0.2, 1], ticks: [-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1], tickFormat: short, label: null },
    y: { domain: [0, 1], axis: null },
    marks: [
      plot.rect(zones, { x1: 'from', x2: 'to', y1: 0, y2: 1, fill: 'var(--sunk)', inset: 1 }),
      plot.text(zones, { x: ({ from, to }: (typeof zones)[number]) => (from + to) / 2, y: 1, dy: -10, text: 'word' }),
      plot.rect(value === null || low === null || high === null ? [] : [0], {
        x1: low ?? 0,
        x2: high ?? 0,
        y1: 0.15,
        y2: 0.85,
        fill: 'var(--curve-1)',
        fillOpacity: 0.3,
      }),
      plot.ruleX(value === null ? [] : [value], { stroke: 'var(--curve-1)', strokeWidth: 3 }),
    ],
  })
}

const short = (value: number): string => formatFigure(value).replace(/[.,]?0+$/, '') || '0'

function Trend({ trend, how }: { trend: readonly TrendDay[]; how: string }) {
  const spec = useMemo(() => trendOf(trend), [trend])
  const n = trend.reduce((sum, day) => sum + day.n_items, 0)
  if (trend.length < 2) return <Later title={t.agreementByDay}>{trendInWords(trend)}</Later>
  return (
    <Chart<TrendDay>
      title={t.agreementByDay}
      spec={spec}
      table={{
        columns: [
          { title: t.day, value: ({ day }) => day },
          { title: t.alphaNominal, value: ({ value }) => value, format: formatFigure },
          { title: t.low, value: ({ low }) => low, format: formatFigure },
          { title: t.high, value: ({ high }) => high, format: formatFigure },
          { title: t.pairs, value: ({ n_items: pairs }) => pairs },
          { title: t.judgments, value: ({ n_judgments: answers }) => answers },
        ],
        rows: trend,
      }}
      n={t.nPairsDays({ pairs: t.pairsN({ n }), days: t.daysN({ n: trend.length }) })}
      how={`${t.howByDay} ${how}`}
      lead={<p className={styles.remark}>{trendInWords(trend)}</p>}
    />
  )
}

function trendOf(trend: readonly TrendDay[]): ChartSpec {
  const points = trend.map((day) => ({ ...day, at: new Date(day.day) }))
  const words = new Map(trend.map((day) => [Date.parse(day.day), day]))
  const title = ({ at }: { at: Date }): string => {
    const day = words.get(at.getTime())
    if (day?.value == null) return ''
    return [`${dayOf(day.day)}: ${formatFigure(day.value)}`, boundsOf(day), nOf(day)].filter(Boolean).join('\n')
  }
  const isBelow = trend.some(({ value, low }) => (value ?? 0) < 0 || (low ?? 0) < 0)
  const least = isBelow ? -0.2 : 0
  const ticks = [...(isBelow ? [-0.2] : []), 0, 0.2, 0.4, 0.6, 0.8, 1]
  return (plot, width) => ({
    width,
    height: 220,
    marginLeft: 40,
    marginRight: 24,
    x: dayAxis(
      points.map(({ at }) => at),
      width,
    ),
    y: { domain: [least, 1], ticks, tickFormat: short, label: null, clamp: true },
    marks: [
      plot.gridY(ticks, { stroke: 'var(--line)', strokeOpacity: 1 }),
      ...bandedLine(plot, points, { colour: 'var(--curve-1)', title }),
    ],
  })
}
