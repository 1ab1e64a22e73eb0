import type { Estimate, Person, TrendDay } from '@/lib/api/figures'
import { t } from '@/messages/quality'
import { formatFigure } from './figures'

/** The scale of agreement in words: our own bounds, close to those of Krippendorff (0.667) and Landis and Koch. */
export const zones = [
  { from: -0.2, to: 0.2, word: t.zoneChance },
  { from: 0.2, to: 0.4, word: t.zoneWeak },
  { from: 0.4, to: 0.667, word: t.zoneModerate },
  { from: 0.667, to: 1, word: t.zoneStrong },
] as const

export const zoneOf = (value: number): string => zones.find(({ to }) => value < to)?.word ?? t.zoneStrong

export const nameOf = ({ display_name: name, username }: Omit<Person, 'id'>): string => name || username

/** "95% interval 0.28 to 0.36", or nothing while there is none. */
export function boundsOf({ low, high }: Omit<Estimate, 'value'>): string | null {
  if (low === null || high === null) return null
  return t.boundsOf({ low: formatFigure(low), high: formatFigure(high) })
}

/** Whether agreement rises, from the first and the last day with an interval: apart, or no clear change. */
export function trendInWords(trend: readonly TrendDay[]): string {
  const known = trend.flatMap(({ day, value, low, high }) =>
    value === null || low === null || high === null ? [] : [{ day, value, low, high }],
  )
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last || first === last) return t.trendLater
  const values = { first: formatFigure(first.value), last: formatFigure(last.value) }
  if (last.low > first.high) return t.trendRises(values)
  if (last.high < first.low) return t.trendFalls(values)
  return t.trendUnclear(values)
}
