import { type PointerEvent, useRef } from 'react'
import { cx } from '@/components/ui/cx'
import type { PolysemyReport } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { useWidth } from '@/lib/layout/use-width'
import { t } from '@/messages/polysemy'
import { type Axis, type Interval, linearAxis, logAxis, roundInterval, withRoom } from '../state/axis'
import { type Curve, curvesOf, type Measure, nearestRadius, radiiOf, spread } from '../state/curves'
import styles from './curve-chart.module.css'

const HEIGHT = 272
const EDGE = { top: 26, left: 44, bottom: 40 }
const LABEL_LINE = 17
/** From the middle of one tick's number to the next: six characters and air. */
const LABEL_ROOM = 44
/** Below this width the names stand in the list alone. */
const ROOM_FOR_NAMES = 380

export interface CurveChartProps {
  report: PolysemyReport
  measure: Measure
  isLog: boolean
  marked: number
  onMark: (radius: number) => void
}

/** One panel of Figure 3: a line for each corpus over the radius. The table beneath says the same in words. */
export function CurveChart({ report, measure, isLog, marked, onMark }: CurveChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const curves = curvesOf(report, measure, isLog)
  const radii = radiiOf(report).filter((radius) => !isLog || radius > 0)
  const plot = plotOf(curves, radii, width, isLog)
  const mark = (event: PointerEvent) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    const radius = nearestRadius(radii, plot.x.at, event.clientX - left)
    if (radius !== null) onMark(radius)
  }
  return (
    <div ref={box} className={styles.box}>
      {width > 0 && (
        <svg
          className={styles.chart}
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={t.overRadius({ title: measure.title, unit: measure.unit, said: curves.map(said).join('; ') })}
          onPointerMove={mark}
          onPointerDown={mark}
        >
          <Ticks plot={plot} unit={measure.unit} isLog={isLog} />
          {radii.includes(marked) && (
            <line className={styles.rule} x1={plot.x.at(marked)} x2={plot.x.at(marked)} y1={EDGE.top} y2={plot.floor} />
          )}
          {curves.map((curve, number) => (
            <Line key={curve.corpus} curve={curve} number={number} plot={plot} marked={marked} />
          ))}
          <Names curves={curves} plot={plot} />
        </svg>
      )}
    </div>
  )
}

interface Plot {
  x: Axis
  y: Axis
  right: number
  floor: number
  hasNames: boolean
}

function plotOf(curves: readonly Curve[], radii: readonly number[], width: number, isLog: boolean): Plot {
  const hasNames = width >= ROOM_FOR_NAMES
  const right = width - (hasNames ? 104 : 12)
  const floor = HEIGHT - EDGE.bottom
  const values = curves.flatMap(({ dots }) => dots.map(({ value }) => value))
  const reach: Interval = [radii[0] ?? 1, radii.at(-1) ?? 1]
  const across: Interval = [EDGE.left, right]
  return {
    x: withRoom(isLog ? logAxis(reach, across) : linearAxis(reach, across), LABEL_ROOM),
    y: linearAxis(roundInterval(values), [floor, EDGE.top], 4),
    right,
    floor,
    hasNames,
  }
}

const said = ({ corpus, dots }: Curve): string => {
  const [first, last] = [dots[0], dots.at(-1)]
  if (!first || !last) return t.noValues({ corpus })
  return t.fromTo({
    corpus,
    value: formatDecimal(first.value, 3),
    radius: formatCount(first.radius),
    value2: formatDecimal(last.value, 3),
    radius2: formatCount(last.radius),
  })
}

/** Every tick of an axis with as many decimals as the one that has most. */
function written(ticks: readonly number[]): string[] {
  const decimals = ticks.map((tick) => String(Number(tick.toFixed(4))).split('.')[1]?.length ?? 0)
  return ticks.map((tick) => formatDecimal(tick, Math.max(0, ...decimals)))
}

function Ticks({ plot, unit, isLog }: { plot: Plot; unit: string; isLog: boolean }) {
  const { x, y, floor, right } = plot
  const values = written(y.ticks)
  return (
    <g className={styles.ticks}>
      {y.ticks.map((tick, place) => (
        <g key={tick} transform={`translate(0 ${y.at(tick)})`}>
          <line className={styles.grid} x1={EDGE.left} x2={right} />
          <text x={EDGE.left - 8} dy="0.32em" textAnchor="end">
            {values[place]}
          </text>
        </g>
      ))}
      {x.ticks.map((tick) => (
        <text key={tick} x={x.at(tick)} y={floor + 18} textAnchor="middle">
          {formatCount(tick)}
        </text>
      ))}
      <text x={(EDGE.left + right) / 2} y={HEIGHT - 6} textAnchor="middle">
        {isLog ? t.radiusAxisLog : t.radiusAxis}
      </text>
      <text x={0} y={12}>
        {unit}
      </text>
    </g>
  )
}

interface LineProps {
  curve: Curve
  number: number
  plot: Plot
  marked: number
}

function Line({ curve, number, plot: { x, y }, marked }: LineProps) {
  const path = curve.dots.map(({ radius, value }, at) => `${at ? 'L' : 'M'}${x.at(radius)} ${y.at(value)}`).join('')
  return (
    <g className={lookOf(number)}>
      <path className={styles.line} d={path} />
      {curve.dots.map(({ radius, value }) => (
        <circle
          key={radius}
          className={styles.dot}
          cx={x.at(radius)}
          cy={y.at(value)}
          r={radius === marked ? 5 : 2.5}
        />
      ))}
    </g>
  )
}

/** The corpus’ name at the end of its line. */
function Names({ curves, plot }: { curves: readonly Curve[]; plot: Plot }) {
  if (!plot.hasNames) return null
  const ends = curves.flatMap(({ corpus, dots }, number) => {
    const last = dots.at(-1)
    return last ? [{ corpus, number, height: plot.y.at(last.value) }] : []
  })
  const heights = spread(
    ends.map(({ height }) => height),
    LABEL_LINE,
    plot.floor,
  )
  return ends.map(({ corpus, number }, at) => (
    <text key={corpus} className={cx(styles.name, lookOf(number))} x={plot.right + 9} y={heights[at]} dy="0.32em">
      {corpus.length > 14 ? `${corpus.slice(0, 13)}…` : corpus}
    </text>
  ))
}

/** Three colours, and dashes from the second line on: no line is told apart by its colour alone. */
export const lookOf = (number: number): string =>
  cx(styles[`colour${number % 3}`], styles[`dash${Math.min(number, 5)}`])
