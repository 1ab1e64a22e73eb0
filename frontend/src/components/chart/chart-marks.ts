import type { Markish } from '@observablehq/plot'
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
  /** A token: `var(--curve-1)`. */
  colour: string
  /** What the pointer reads at a point. */
  title?: (point: BandedPoint) => string
}

/** A line over days in its 95% band. A day without a figure leaves a gap; a day alone is a dot with its bar. */
export function bandedLine(
  plot: PlotLibrary,
  points: readonly BandedPoint[],
  { label, colour, title }: BandedLine,
): Markish[] {
  const drawn = points.filter(({ value }) => value !== null)
  return [
    plot.areaY(points, { x: 'at', y1: 'low', y2: 'high', fill: colour, fillOpacity: 0.14 }),
    plot.ruleX(drawn, { x: 'at', y1: 'low', y2: 'high', stroke: colour, strokeOpacity: 0.4 }),
    plot.lineY(points, { x: 'at', y: 'value', stroke: colour, strokeWidth: 2 }),
    plot.dot(drawn, { x: 'at', y: 'value', fill: colour, r: 3, ...(title && { title }) }),
    ...(title ? [plot.tip(drawn, plot.pointerX({ x: 'at', y: 'value', title }))] : []),
    ...(label && drawn.length > 0
      ? [
          plot.text(drawn.slice(-1), {
            x: 'at',
            y: 'value',
            text: () => label,
            fill: colour,
            dx: 8,
            textAnchor: 'start',
            stroke: 'var(--ground)',
            strokeWidth: 4,
          }),
        ]
      : []),
  ]
}
