import type { TableSort } from '@/components/ui/table'
import { formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/benchmarks'
import { t as judging } from '@/messages/judging'
import type { Category, Cell, Metric } from '../api/shapes'
import type { BoardRow } from './board'

const directionNames: Readonly<Record<string, string>> = {
  image_to_text: t.imageToText,
  text_to_image: t.textToImage,
  both: t.both,
  pairs: t.pairs,
}
export const directionName = (direction: string): string => directionNames[direction] ?? direction

export const taskNames: Readonly<Record<string, string>> = {
  retrieval: t.retrieval,
  relevance: t.relevance,
  auprc: t.auprcTask,
}

const metricNames: Readonly<Record<string, string>> = {
  map: 'mAP',
  'map@R': 'mAP@R',
  mrr: 'MRR',
  ndcg: 'NDCG',
  auprc: 'AUPRC',
  r_precision: 'R-precision',
  rank_all_mean: t.meanRank,
  rank_all_median: t.medianRank,
  rank_best_mean: t.meanFirstRank,
  rank_best_median: t.medianFirstRank,
  prevalence: t.chance,
  above_chance: t.aboveChance,
}

/** The name of a metric as papers write it. */
export const metricName = (name: string): string => metricNames[name] ?? name.replace(/^ndcg@/, 'NDCG@')

/** The title of a column; the sum of both directions says so. */
export const metricTitle = ({ measure, direction }: Pick<Metric, 'measure' | 'direction'>): string =>
  direction === 'both' ? t.ofBoth({ metric: metricName(measure) }) : metricName(measure)

/** Shares are shown times 100, as in papers; ranks and sums as they are. */
const isShare = (name: string): boolean => !/^(rank_|rsum|n_)/.test(name)

/** A rank is better where it is low. */
export const isLowBetter = (name: string): boolean => name.startsWith('rank_')

/** "71.2" of a share of 0.712; "3.0" of a rank. */
export const formatMetric = (name: string, value: number): string => formatDecimal(isShare(name) ? 100 * value : value, 1)

/** The same of a difference, with its sign. */
export function formatDifference(name: string, value: number): string {
  const said = formatMetric(name, Math.abs(value))
  return value < 0 ? `−${said}` : `+${said}`
}

export const intervalOf = (name: string, { low, high }: Pick<Cell, 'low' | 'high'>): string | null =>
  low === null || high === null ? null : `${formatMetric(name, low)}–${formatMetric(name, high)}`

const valueNames: Readonly<Record<string, string>> = {
  easy: t.easy,
  medium: t.medium,
  hard: t.hard,
  unrated: t.unrated,
  literal: judging.literal,
  figurative: judging.figurative,
  emotional: judging.emotional,
  abstract: judging.abstract,
  background: judging.background,
  conceptual: t.conceptual,
  descriptive: t.descriptive,
}
const fieldNames: Readonly<Record<string, string>> = {
  difficulty: t.difficulty,
  lens: t.lens,
  lenses: t.lens,
  source: t.source,
  query: t.query,
}

/** "hard" of `difficulty=hard`, in our language where it is known. */
export const valueName = (value: string): string => valueNames[value] ?? value
export const fieldName = (field: string): string => fieldNames[field] ?? field

/** "Difficulty: hard" of `difficulty=hard`. */
export const categoryName = ({ field, value }: Category): string =>
  field && field !== 'category' ? t.category({ field: fieldName(field), value: valueName(value) }) : valueName(value)

const known = Object.keys(valueNames)
const placeOf = ({ value }: Category) => (known.includes(value) ? known.indexOf(value) : known.length)

/** Categories with the known values in their order: easy, medium, hard. */
export const inOrder = <Each extends Category>(categories: readonly Each[]): Each[] =>
  categories.toSorted((a, b) => placeOf(a) - placeOf(b))

/** The best first; rows without a figure come last whichever way. */
export function sortRows(rows: readonly BoardRow[], { column, isDescending }: TableSort): BoardRow[] {
  const sign = isDescending ? -1 : 1
  if (column === 'model') return rows.toSorted((a, b) => sign * a.model.localeCompare(b.model))
  return rows.toSorted((a, b) => {
    const [x, y] = [a.cells[column]?.value ?? null, b.cells[column]?.value ?? null]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return sign * (x - y)
  })
}
