import type { ChartSpec } from '@/components/chart/chart-types'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/polysemy'
import { type Drawn, isDrawn, type Measure, type Row, spread } from './curves'

const height = 300
const edge = { top: 28, bottom: 44, left: 48, right: 16 }
const lineOfLabel = 16
/** About the width of a letter of a label, in pixels. */
const letter = 7.2
/** Narrower drawings have the names above the ends of the lines, not beside them. */
const roomForNames = 460

const colours = ['var(--curve-1)', 'var(--curve-2)', 'var(--curve-3)'] as const
/** Dashes from the second line on: no line is told apart by its colour alone. */
const dashes = ['none', '7 4', '2 4', '12 4', '9 3 2 3', '4 2'] as const

/** One panel of Figure 3: for each corpus a line over the radius in its 95% band, with its name at its end. */
export function curvesSpec(rows: readonly Row[], measure: Measure, isLog: boolean): ChartSpec {
  const lines = linesOf(rows, isLog)
  const drawn = lines.flat()
  return (plot, width) => {
    if (drawn.length === 0) return { width, height: 40, axis: null, marks: [] }
    const names = lines.map(([first]) => clip(first?.corpus ?? ''))
    const isBeside = width >= roomForNames
    const right = isBeside ? 20 + letter * Math.max(...names.map((name) => name.length)) : edge.right
    const [low, high] = domainOf(drawn)
    const pixel = (value: number) => edge.top + ((high - value) / (high - low)) * (height - edge.top - edge.bottom)
    // Over the end of a line that rises and under that of one that falls, the rest of the line is not in the way.
    const aside = (line: readonly Drawn[]) => ((line.at(-1)?.value ?? 0) < (line[0]?.value ?? 0) ? 16 : -16)
    const ends = lines.map((line) => pixel(line.at(-1)?.value ?? low) + (isBeside ? 0 : aside(line)))
    const places = spread(ends, lineOfLabel, height - edge.bottom)
    const radii = [...new Set(drawn.map(({ radius }) => radius))].toSorted((a, b) => a - b)
    return {
      width,
      height,
      marginTop: edge.top,
      marginBottom: edge.bottom,
      marginLeft: edge.left,
      marginRight: right,
      x: {
        type: isLog ? 'log' : 'linear',
        domain: radii.length === 1 ? [(radii[0] ?? 1) / 2, (radii[0] ?? 1) * 2] : [radii[0] ?? 0, radii.at(-1) ?? 1],
        label: isLog ? t.radiusAxisLog : t.radiusAxis,
        labelAnchor: 'center',
        labelArrow: 'none',
        tickFormat: formatCount,
        ticks: isLog ? ticksOfLog(radii, width - edge.left - right) : Math.max(2, Math.floor((width - right) / 90)),
      },
      y: {
        domain: [low, high],
        ticks: 4,
        tickFormat: (value: number) => formatDecimal(value, high - low < 0.2 ? 3 : 2),
        label: measure.unit,
        labelArrow: 'none',
      },
      marks: [
        plot.gridY({ ticks: 4, stroke: 'var(--line)', strokeOpacity: 1 }),
        ...lines.map((line, at) =>
          plot.areaY(line, { x: 'radius', y1: 'low', y2: 'high', fill: colourOf(at), fillOpacity: 0.16 }),
        ),
        ...lines.flatMap((line, at) => [
          plot.lineY(line, {
            x: 'radius',
            y: 'value',
            stroke: colourOf(at),
            strokeWidth: 2,
            strokeDasharray: dashes[Math.min(at, dashes.length - 1)] ?? 'none',
          }),
          plot.dot(line, { x: 'radius', y: 'value', fill: colourOf(at), r: 2.5 }),
          plot.text(line.slice(-1), {
            x: 'radius',
            y: 'value',
            text: () => names[at] ?? '',
            fill: colourOf(at),
            fontWeight: 600,
            dx: isBeside ? 9 : 0,
            dy: (places[at] ?? 0) - pixel(line.at(-1)?.value ?? low),
            textAnchor: isBeside ? 'start' : 'end',
            stroke: 'var(--ground)',
            strokeWidth: 4,
          }),
        ]),
        plot.tip(drawn, plot.pointer({ x: 'radius', y: 'value', title: tipOf })),
      ],
    }
  }
}

const colourOf = (at: number): string => colours[at % colours.length] ?? colours[0]
const clip = (name: string): string => (name.length > 18 ? `${name.slice(0, 17)}…` : name)

/** The points of each corpus that has one, in the order of the report. A logarithm has no place for radius 0. */
function linesOf(rows: readonly Row[], isLog: boolean): Drawn[][] {
  const lines = new Map<string, Drawn[]>()
  for (const row of rows.filter(isDrawn)) {
    if (isLog && row.radius === 0) continue
    lines.set(row.corpus, [...(lines.get(row.corpus) ?? []), row])
  }
  return [...lines.values()]
}

/** All values and bands, with a little room around them. */
function domainOf(drawn: readonly Drawn[]): [number, number] {
  const low = Math.min(...drawn.map((row) => row.low ?? row.value))
  const high = Math.max(...drawn.map((row) => row.high ?? row.value))
  const room = Math.max(0.005, (high - low) * 0.08)
  return [low - room, high + room]
}

/** 1, 2 and 5 times the powers of ten, as many as fit. */
function ticksOfLog(radii: readonly number[], width: number): number[] {
  const [least, most] = [radii[0] ?? 1, radii.at(-1) ?? 1]
  const all = Array.from({ length: 7 }, (_, power) => 10 ** power).flatMap((power) => [power, 2 * power, 5 * power])
  const inside = all.filter((tick) => tick >= least && tick <= most)
  return inside.length * 44 <= width ? inside : inside.filter((tick) => String(tick).startsWith('1'))
}

const tipOf = ({ corpus, radius, value, low, high, n }: Drawn): string =>
  [
    corpus,
    t.neighboursN({ radius: formatCount(radius) }),
    low === null || high === null
      ? formatDecimal(value, 3)
      : `${formatDecimal(value, 3)} [${formatDecimal(low, 3)}, ${formatDecimal(high, 3)}]`,
    t.nImages({ n: formatCount(n) }),
  ].join('\n')
