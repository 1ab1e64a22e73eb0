import type { Markish, ScaleOptions } from '@observablehq/plot'
import { locale } from '@/lib/language/language'
import type { PlotLibrary } from './chart-types'

export interface BandedPoint {
  /** Midnight UTC of the day. */
  at: Date
  value: number | null
  low: number | null
  high: number | null
}

export interface BandedLine {
  /** Written at the end of the line, instead of a legend. */
  label?: string
  /** Moves the label up or down, away from another line's. */
  labelDy?: number
  /** A token: `var(--curve-1)`. */
  colour: string
  /** What the pointer reads at a point. */
  title?: (point: BandedPoint) => string
}

/** A line over days in its 95% band. A day without a figure leaves a gap; a day alone is a dot with its bar. */
export function bandedLine(
  plot: PlotLibrary,
  points: readonly BandedPoint[],
  { label, labelDy = 0, colour, title }: BandedLine,
): Markish[] {
  const drawn = points.filter(({ value }) => value !== null)
  const end = points.at(-1)?.at
  return [
    plot.areaY(points, { x: 'at', y1: 'low', y2: 'high', fill: colour, fillOpacity: 0.14 }),
    plot.ruleX(drawn, { x: 'at', y1: 'low', y2: 'high', stroke: colour, strokeOpacity: 0.4 }),
    plot.lineY(points, { x: 'at', y: 'value', stroke: colour, strokeWidth: 2 }),
    plot.dot(drawn, { x: 'at', y: 'value', fill: colour, r: 3, ...(title && { title }) }),
    ...(title ? [plot.tip(drawn, plot.pointerX({ x: 'at', y: 'value', title }))] : []),
    ...(label && drawn.length > 0
      ? [
          plot.text(drawn.slice(-1), {
            x: () => end,
            y: 'value',
            text: () => label,
            fill: colour,
            dx: 8,
            dy: labelDy,
            textAnchor: 'start',
            stroke: 'var(--ground)',
            strokeWidth: 4,
          }),
        ]
      : []),
  ]
}

const shortDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const roomOfDay = 64
const oneDay = 86_400_000

/** An axis of days: a tick where there is a day, as many as fit. */
export function dayAxis(days: readonly Date[], width: number): ScaleOptions {
  const [first, last] = [days[0]?.getTime() ?? 0, days.at(-1)?.getTime() ?? 0]
  const every = Math.max(1, Math.ceil((days.length * roomOfDay) / width))
  return {
    type: 'utc',
    domain: first === last ? [new Date(first - oneDay), new Date(last + oneDay)] : [new Date(first), new Date(last)],
    ticks: days.filter((_, place) => (days.length - 1 - place) % every === 0),
    tickFormat: (day: Date) => shortDay.format(day),
    label: null,
  }
}
