import type { PolysemyPoint, PolysemyReport } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/polysemy'

export interface Measure {
  id: 'image_similarity' | 'geodesic_distance'
  title: string
  /** What the vertical axis measures. */
  unit: string
  explanation: string
  /** One corpus at the largest radius: "Captions of the 100 nearest images are 1.42 rad away in cc12m." */
  lead: (said: { radius: string; value: string; corpus: string }) => string
  n: (point: PolysemyPoint) => number
}

/** The two panels of Figure 3. */
export const measures: readonly Measure[] = [
  {
    id: 'geodesic_distance',
    title: t.geodesic,
    unit: t.meanAngle,
    explanation: t.distanceNote,
    lead: t.distanceLead,
    n: (point) => point.n_queries_with_captions,
  },
  {
    id: 'image_similarity',
    title: t.imageSimilarity,
    unit: t.meanCosine,
    explanation: t.similarityNote,
    lead: t.similarityLead,
    n: (point) => point.n_queries,
  },
]

/** One point of a line, and one row of its table. */
export interface Row {
  corpus: string
  radius: number
  value: number | null
  low: number | null
  high: number | null
  n: number
}

export interface Drawn extends Row {
  value: number
}

export const rowsOf = (report: PolysemyReport, { id, n }: Measure): Row[] =>
  report.corpora.flatMap(({ corpus, points }) =>
    points.map((point) => ({
      corpus,
      radius: point.radius,
      value: point[id],
      low: point[`${id}_low`],
      high: point[`${id}_high`],
      n: n(point),
    })),
  )

export const isDrawn = (row: Row): row is Drawn => row.value !== null

/** What the curves come to at the largest radius that every corpus has: the highest first, the others behind it. */
export function leadOf(report: PolysemyReport, measure: Measure): string | null {
  const rows = rowsOf(report, measure).filter(isDrawn)
  const shared = rows
    .map(({ radius }) => radius)
    .filter((radius) => report.corpora.every(({ corpus }) => rows.some((row) => row.corpus === corpus && row.radius === radius)))
  const radius = Math.max(...shared)
  const [first, ...others] = rows.filter((row) => row.radius === radius).toSorted((a, b) => b.value - a.value)
  if (!first) return null
  const said = measure.lead({ radius: formatCount(radius), value: saidOf(first), corpus: first.corpus })
  const rest = others.map((row) => t.leadOther({ corpus: row.corpus, value: saidOf(row) })).join('; ')
  return rest ? t.leadWith({ said, rest }) : t.leadAlone({ said })
}

const saidOf = ({ value }: Drawn): string => formatDecimal(value, 2)

/** Labels as high as the ends of their lines, moved apart where one would cover another; in the order given. */
export function spread(heights: readonly number[], gap: number, most: number): number[] {
  const order = heights.map((height, index) => ({ height, index })).toSorted((a, b) => a.height - b.height)
  let free = -Infinity
  for (const label of order) {
    label.height = Math.max(label.height, free)
    free = label.height + gap
  }
  let floor = most
  for (const label of order.toReversed()) {
    label.height = Math.min(label.height, floor)
    floor = label.height - gap
  }
  const placed = [...heights]
  for (const { height, index } of order) placed[index] = height
  return placed
}
