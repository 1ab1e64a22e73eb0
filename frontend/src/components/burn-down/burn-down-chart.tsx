import { useMemo } from 'react'
import type { Overview } from '@/lib/api/served'
import { formatDay } from '@/lib/format/day'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/overview'
import { Chart } from '../chart/chart'
import type { ChartSpec } from '../chart/chart-types'
import { stackedRows } from '../chart/stacked-rows'
import { type Band, type BurnDown, burnDownOf, fewestDays, type Left, oneDay } from './burn-down'
import styles from './burn-down.module.css'
import { Later } from './later'

type Day = Overview['days'][number]

/** What is left, day by day, and when nothing will be. */
export function BurnDownChart({ overview }: { overview: Overview }) {
  const spec = useMemo(() => specOf(overview), [overview])
  const { slots, slots_open: open, finish, today, days } = overview
  if (!spec) return <Later title={t.burnDown}>{t.finishUnknown}</Later>
  return (
    <Chart<Day>
      title={t.burnDown}
      spec={spec}
      table={{
        columns: [
          { title: t.day, value: ({ day }) => day },
          { title: t.submitted, value: ({ assignments }) => assignments, format: formatCount },
          { title: t.left, value: ({ left }) => left, format: formatCount },
        ],
        rows: days,
      }}
      n={t.nAssignments({ left: formatCount(open), all: formatCount(slots) })}
      how={finish ? t.howBurnDown({ days: finish.n_days }) : t.howBurnDownShort}
      lead={
        finish &&
        open > 0 && (
          <p className={styles.lead}>
            {t.burnDownLead({
              perDay: formatDecimal(finish.per_day.mean, finish.per_day.mean < 10 ? 1 : 0),
              expected: formatDay(finish.expected, today),
            })}
          </p>
        )
      }
    />
  )
}

function specOf(overview: Overview): ChartSpec | null {
  const { days, slots, finish } = overview
  if (!finish && slots > 0 && days.length > 0 && days.length < fewestDays) return rowsOf(overview)
  const drawn = burnDownOf(overview)
  return drawn && draw(drawn, overview)
}

/** What each day took away: a line through two points would tell of days without work. */
function rowsOf({ days, slots, today }: Overview): ChartSpec {
  const rows = days.map(({ day, assignments, left }) => ({
    name: formatDay(day, today),
    parts: [
      { size: Math.max(0, slots - left - assignments), fill: 'var(--map-none)', said: '' },
      { size: assignments, fill: 'var(--curve-1)', said: t.doneN({ n: formatCount(assignments) }) },
      { size: left, fill: 'var(--accent-soft)', said: t.leftN({ n: formatCount(left) }), ink: 'var(--text)' },
    ],
    end: formatCount(slots),
  }))
  return stackedRows(rows, { max: slots })
}

const draw =
  ({ line, expected, band, from, to }: BurnDown, { slots, today }: Overview): ChartSpec =>
  (plot, width) => {
    const now = line.at(-1)
    const end = expected.at(-1)
    const dayName = (at: Date): string => formatDay(at.toISOString().slice(0, 10), today)
    const points = [...line, ...expected.slice(1)]
    return {
      width,
      height: 260,
      marginLeft: 52,
      marginRight: 28,
      marginTop: 20,
      x: {
        type: 'utc',
        domain: [from, to],
        // No tick within a day: its name would be there twice.
        ticks: Math.max(1, Math.min(Math.floor(width / 110), Math.round((to.getTime() - from.getTime()) / oneDay))),
        tickFormat: dayName,
        label: null,
      },
      y: { domain: [0, slots], ticks: 4, tickFormat: formatCount, label: null },
      marks: [
        plot.gridY({ ticks: 4, stroke: 'var(--line)', strokeOpacity: 1 }),
        plot.areaY(band, {
          x: 'at',
          y1: ({ low }: Band) => low,
          y2: ({ high }: Band) => high,
          fill: 'var(--curve-1)',
          fillOpacity: 0.16,
        }),
        plot.lineY(expected, { x: 'at', y: 'left', stroke: 'var(--curve-1)', strokeWidth: 2, strokeDasharray: '5 4' }),
        plot.areaY(line, { x: 'at', y: 'left', fill: 'var(--curve-1)', fillOpacity: 0.07 }),
        plot.lineY(line, { x: 'at', y: 'left', stroke: 'var(--curve-1)', strokeWidth: 2 }),
        ...(now
          ? [
              plot.ruleX([now.at], { stroke: 'var(--line-strong)', strokeDasharray: '2 3' }),
              plot.text([now.at], { x: (at: Date) => at, frameAnchor: 'top', dy: -12, text: () => t.today }),
              plot.dot([now], { x: 'at', y: 'left', r: 4, fill: 'var(--curve-1)' }),
              plot.text([now], {
                x: 'at',
                y: 'left',
                text: ({ left }: Left) => formatCount(left),
                dx: 9,
                dy: -9,
                textAnchor: 'start',
                fill: 'var(--text)',
                fontWeight: 600,
                stroke: 'var(--ground)',
                strokeWidth: 4,
              }),
            ]
          : []),
        ...(end?.left === 0
          ? [
              plot.dot([end], { x: 'at', y: 'left', r: 4, fill: 'var(--ground)', stroke: 'var(--curve-1)', strokeWidth: 2 }),
              plot.text([end], {
                x: 'at',
                y: 'left',
                text: ({ at }: Left) => t.expectedEnd({ day: dayName(at) }),
                dx: 8,
                dy: -14,
                textAnchor: 'end',
                fill: 'var(--text)',
                stroke: 'var(--ground)',
                strokeWidth: 4,
              }),
            ]
          : []),
        plot.tip(
          points,
          plot.pointerX({
            x: 'at',
            y: 'left',
            title: ({ at, left }: Left) => `${dayName(at)}\n${t.left}: ${formatCount(Math.round(left))}`,
          }),
        ),
      ],
    }
  }
