import type { ChartSpec } from '@/components/chart/chart-types'
import type { ComparedDataset, DiversityMeasure, DiversityRun } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/diversity'

export const measureNames: Record<DiversityMeasure['measure'], string> = {
  sbert: t.sbert,
  clip_text: t.clipText,
  clip_image: t.clipImage,
  bertscore: t.bertscore,
}

export const colours = ['var(--curve-1)', 'var(--curve-2)'] as const
const dashes = ['none', '6 3'] as const

/** The name of a dataset in a report: two of one name are told apart by their place. */
export function namesOf(datasets: readonly ComparedDataset[]): string[] {
  const names = datasets.map(({ kind, name }) => (kind === 'selection' ? t.selectionOf({ project: name }) : name))
  return new Set(names).size < names.length ? names.map((name, at) => `${name} (${at + 1})`) : names
}

/** What a report is about; before it is finished, as it was asked for. */
export function titleOf(run: Pick<DiversityRun, 'asked' | 'compared'>): string {
  const [first = '', second] = run.compared ? namesOf(run.compared) : run.asked
  return second === undefined ? first : t.versus({ first, second })
}

const ends = { succeeded: t.succeeded, failed: t.failed, cancelled: t.cancelled } as const

/** How far the run of a report is. */
export function statusOf({ status, done, total }: DiversityRun): string {
  if (status === 'queued') return t.waiting
  if (status !== 'running') return ends[status]
  return total === null ? t.waiting : t.running({ done: formatCount(done), total: formatCount(total) })
}

export const decimals = (value: number): string => formatDecimal(value, 3)

/** "n = 500 and 480 images". */
export function nOf({ datasets }: DiversityMeasure): string {
  const [first, second] = datasets
  if (!second) return t.nImages({ n: formatCount(first?.n ?? 0) })
  return t.nOfEach({ first: formatCount(first?.n ?? 0), second: formatCount(second.n) })
}

/** "Difference of the means: −0.012 [−0.020, −0.004]"; nothing where there is one dataset. */
export function differenceOf({ difference }: DiversityMeasure): string | null {
  if (difference?.value == null) return null
  const value = decimals(difference.value)
  if (difference.low === null || difference.high === null) return t.differenceOnly({ value })
  return t.differenceIs({ value, low: decimals(difference.low), high: decimals(difference.high) })
}

interface Point {
  x: number
  y: number
}

/** The line of a dataset: its curve, or its counts as steps of a density. */
export function lineOf(density: NonNullable<DiversityMeasure['density']>, at: number): Point[] {
  const curve = density.curves[at]
  if (curve) return density.x.map((x, place) => ({ x, y: curve[place] ?? 0 }))
  const counts = density.counts[at] ?? []
  const width = (density.high - density.low) / counts.length
  const total = counts.reduce((sum, n) => sum + n, 0) || 1
  return counts.flatMap((n, place) =>
    [0, 1].map((side) => ({ x: density.low + (place + side) * width, y: n / (total * width) })),
  )
}

/** Two densities over one axis, each with its mean as a line and the interval of the mean as a band. */
export function densitySpec({ density, datasets }: DiversityMeasure, names: readonly string[]): ChartSpec {
  return (plot, width) => {
    if (!density) return { width, height: 40, axis: null, marks: [] }
    const lines = datasets.map((_, at) => lineOf(density, at))
    const most = Math.max(...lines.flat().map(({ y }) => y))
    return {
      width,
      height: 240,
      marginLeft: 12,
      marginRight: 12,
      marginTop: 8 + 18 * datasets.length,
      marginBottom: 30,
      x: { label: null, tickFormat: (x: number) => formatDecimal(x, 2), ticks: Math.max(3, Math.floor(width / 90)) },
      y: { axis: null, domain: [0, most * 1.04] },
      marks: [
        plot.ruleY([0], { stroke: 'var(--line)' }),
        ...lines.flatMap((line, at) => {
          const colour = colours[at] ?? colours[0]
          const { mean, low, high } = datasets[at] ?? { mean: null, low: null, high: null }
          return [
            plot.areaY(line, { x: 'x', y: 'y', fill: colour, fillOpacity: 0.12 }),
            plot.lineY(line, { x: 'x', y: 'y', stroke: colour, strokeWidth: 2, strokeDasharray: dashes[at] ?? 'none' }),
            plot.rect(low === null || high === null ? [] : [0], {
              x1: low ?? 0,
              x2: high ?? 0,
              y1: 0,
              y2: most * 1.04,
              fill: colour,
              fillOpacity: 0.22,
            }),
            plot.ruleX(mean === null ? [] : [mean], {
              stroke: colour,
              strokeWidth: 1.5,
              strokeDasharray: dashes[at] ?? 'none',
            }),
            plot.text([0], {
              frameAnchor: 'top-left',
              dy: -14 - 18 * (datasets.length - 1 - at),
              text: () => `${at === 0 ? '—' : '- -'} ${names[at] ?? ''}${mean === null ? '' : `: ${decimals(mean)}`}`,
              fill: colour,
              fontWeight: 600,
            }),
          ]
        }),
      ],
    }
  }
}
