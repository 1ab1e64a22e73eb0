import type { ChartSpec } from './chart-types'

export interface StackedRow {
  name: string
  /** From left to right, in units of the scale. */
  parts: readonly StackedPart[]
  /** Written behind the bar. */
  end: string
}

export interface StackedPart {
  size: number
  /** A token: `var(--good)`. */
  fill: string
  /** Written in the part, where it has the room. */
  said: string
  ink?: string
}

export interface StackedScale {
  max: number
  ticks?: readonly number[]
  tickFormat?: (value: number) => string
}

const roomOfWords = 38
const roomOfLetter = 7

/** One bar for each row, of parts that are named in the bar. */
export function stackedRows(rows: readonly StackedRow[], { max, ticks, tickFormat }: StackedScale): ChartSpec {
  const parts = rows.flatMap(({ name, parts: list }) => {
    let before = 0
    return list.map((part) => {
      const [x1, x2] = [before, before + part.size]
      before = x2
      return { ...part, name, x1, x2 }
    })
  })
  type Part = (typeof parts)[number]
  return (plot, width) => {
    const longest = Math.max(...rows.map(({ name }) => name.length))
    const left = Math.min(150, width / 3.2, 12 + roomOfLetter * longest)
    const right = 60
    const perUnit = (width - left - right) / max
    return {
      width,
      height: (ticks ? 30 : 8) + 34 * rows.length,
      marginLeft: left,
      marginRight: right,
      marginTop: 4,
      marginBottom: ticks ? 26 : 4,
      x: { domain: [0, max], label: null, ...(ticks ? { ticks, ...(tickFormat && { tickFormat }) } : { axis: null }) },
      y: { domain: rows.map(({ name }) => name), label: null, tickSize: 0 },
      marks: [
        plot.barX(parts, {
          y: 'name',
          x1: 'x1',
          x2: 'x2',
          fill: ({ fill }: Part) => fill,
          insetTop: 4,
          insetBottom: 4,
          insetRight: 1,
        }),
        plot.text(
          parts.filter(({ size }) => size * perUnit > roomOfWords),
          {
            y: 'name',
            x: ({ x1, x2 }: Part) => (x1 + x2) / 2,
            text: 'said',
            fill: ({ ink = 'var(--on-label)' }: Part) => ink,
          },
        ),
        plot.text(rows, { y: 'name', x: max, dx: 6, textAnchor: 'start', text: 'end' }),
      ],
    }
  }
}
