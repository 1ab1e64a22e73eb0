import type { PolysemyPoint, PolysemyReport } from '@/lib/api/served'
import { t } from '@/messages/polysemy'

export interface Measure {
  id: 'image_similarity' | 'geodesic_distance'
  title: string
  /** What stands on the axis. */
  unit: string
  explanation: string
  n: (point: PolysemyPoint) => number
}

/** The two panels of Figure 3. */
export const measures: readonly Measure[] = [
  {
    id: 'image_similarity',
    title: t.imageSimilarity,
    unit: t.meanCosine,
    explanation: t.similarityNote,
    n: (point) => point.n_queries,
  },
  {
    id: 'geodesic_distance',
    title: t.geodesic,
    unit: t.meanAngle,
    explanation: t.distanceNote,
    n: (point) => point.n_queries_with_captions,
  },
]

/** One dot of a line; where nothing is defined there is none. */
export interface Dot {
  radius: number
  value: number
}

/** One corpus as a line. */
export interface Curve {
  corpus: string
  dots: readonly Dot[]
}

export function curvesOf(report: PolysemyReport, measure: Measure, isLog: boolean): Curve[] {
  return report.corpora.map(({ corpus, points }) => ({
    corpus,
    dots: points.flatMap((point) => {
      const value = point[measure.id]
      return value === null || (isLog && point.radius === 0) ? [] : [{ radius: point.radius, value }]
    }),
  }))
}

/** All radii of a report, ascending: runs measure every corpus at the same ones. */
export const radiiOf = (report: PolysemyReport): number[] => report.corpora[0]?.points.map(({ radius }) => radius) ?? []

export const pointAt = (report: PolysemyReport, corpus: number, radius: number): PolysemyPoint | undefined =>
  report.corpora[corpus]?.points.find((point) => point.radius === radius)

/** The radius whose place lies nearest to `x`. */
export function nearestRadius(radii: readonly number[], at: (radius: number) => number, x: number): number | null {
  const far = (radius: number) => Math.abs(at(radius) - x)
  return radii.reduce<number | null>((best, radius) => (best === null || far(radius) < far(best) ? radius : best), null)
}

/** Labels as high as their lines' ends, moved apart where they would cover each other; in the order given. */
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
