import { useRef } from 'react'
import type { AgreementSlice } from '@/lib/api/served'
import { useWidth } from '@/lib/layout/use-width'
import { t } from '@/messages/quality'
import {
  figureOf,
  formatFigure,
  formatInterval,
  type Kind,
  kindName,
  undefinedInWords,
  whyUndefined,
} from '../state/figures'
import styles from './week-plot.module.css'

const HEIGHT = 220
const EDGE = { top: 12, right: 16, bottom: 30, left: 40 }
const ticks = [0, 0.25, 0.5, 0.75, 1]
const LABEL_ROOM = 84

interface Dot {
  week: string
  value: number | null
  low: number | null
  high: number | null
  said: string
}

/** One figure week by week: the line breaks where a week has none, the band is its interval. */
export function WeekPlot({ slices, kind }: { slices: readonly AgreementSlice[]; kind: Kind }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const dots = [...slices].sort((a, b) => a.value.localeCompare(b.value)).map((slice) => dotOf(slice, kind))
  return (
    <div ref={box} className={styles.box}>
      {width > 0 && <Chart dots={dots} width={width} name={kindName(kind)} />}
      <table className="visually-hidden">
        <caption>{t.byWeek({ kind: kindName(kind) })}</caption>
        <tbody>
          {dots.map(({ week, said }) => (
            <tr key={week}>
              <th scope="row">{week}</th>
              <td>{said}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function dotOf(slice: AgreementSlice, kind: Kind): Dot {
  const figure = figureOf(slice, kind)
  const { low = null, high = null } = figure?.interval ?? {}
  const value = figure?.value ?? null
  const of = t.pairsN({ n: figure?.n_items ?? 0 })
  const told = [formatInterval(figure?.interval ?? null), undefinedInWords(figure?.interval ?? null)]
  const interval = told.filter((part) => part !== null).join(', ')
  const said =
    value === null
      ? t.noFigure({ reason: figure ? whyUndefined(figure) : t.notWorkedOut })
      : t.figureOf({ value: formatFigure(value), value2: interval ? `, ${interval}` : '', of })
  return { week: slice.value, value, low, high, said }
}

function Chart({ dots, width, name }: { dots: readonly Dot[]; width: number; name: string }) {
  const least = Math.min(0, ...dots.flatMap(({ value, low }) => [value ?? 0, low ?? 0]))
  const x = (at: number) => EDGE.left + ((width - EDGE.left - EDGE.right) * (at + 0.5)) / Math.max(dots.length, 1)
  const y = (value: number) => EDGE.top + ((HEIGHT - EDGE.top - EDGE.bottom) * (1 - value)) / (1 - least)
  const every = Math.max(1, Math.ceil((dots.length * LABEL_ROOM) / (width - EDGE.left - EDGE.right)))
  return (
    <svg className={styles.chart} width={width} height={HEIGHT} role="img" aria-label={t.weekByWeek({ name })}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={styles.grid} x1={EDGE.left} x2={width - EDGE.right} y1={y(tick)} y2={y(tick)} />
          <text className={styles.tick} x={EDGE.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {tick}
          </text>
        </g>
      ))}
      {runsOf(dots).map((run) => (
        <g key={run[0]?.at}>
          <path className={styles.band} d={bandOf(run, x, y)} />
          <path
            className={styles.line}
            d={run.map(({ at, value }, n) => `${n ? 'L' : 'M'}${x(at)} ${y(value)}`).join('')}
          />
        </g>
      ))}
      {dots.map(({ week, value, said }, at) => (
        <g key={week}>
          {value !== null && (
            <circle className={styles.dot} cx={x(at)} cy={y(value)} r={4}>
              <title>{`${week}: ${said}`}</title>
            </circle>
          )}
          {at % every === 0 && (
            <text className={styles.tick} x={x(at)} y={HEIGHT - 8} textAnchor="middle">
              {week}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}

interface Placed extends Dot {
  at: number
  value: number
}

/** Weeks that follow each other and all have a figure. */
function runsOf(dots: readonly Dot[]): Placed[][] {
  const runs: Placed[][] = [[]]
  dots.forEach((dot, at) => {
    if (dot.value === null) runs.push([])
    else runs.at(-1)?.push({ ...dot, value: dot.value, at })
  })
  return runs.filter((run) => run.length > 0)
}

function bandOf(run: readonly Placed[], x: (at: number) => number, y: (value: number) => number): string {
  const known = run.filter(({ low, high }) => low !== null && high !== null)
  if (known.length < 2) return ''
  const above = known.map(({ at, high }) => `${x(at)} ${y(high ?? 0)}`)
  const below = [...known].reverse().map(({ at, low }) => `${x(at)} ${y(low ?? 0)}`)
  return `M${[...above, ...below].join('L')}Z`
}
