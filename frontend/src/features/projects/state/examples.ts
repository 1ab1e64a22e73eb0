import type { GuidelineExample, GuidelineExampleIn } from '@/lib/api/served'

/** A list of examples as a curator rearranges it; what is given stays as it was. */

export function moved<Each>(list: readonly Each[], at: number, by: -1 | 1): readonly Each[] {
  const one = list[at]
  const other = list[at + by]
  if (one === undefined || other === undefined) return list
  return list.map((each, place) => (place === at ? other : place === at + by ? one : each))
}

export const without = <Each>(list: readonly Each[], at: number): readonly Each[] =>
  list.filter((_, place) => place !== at)

/** In the place of the one that stood there, or behind them all. */
export const withKept = <Each>(list: readonly Each[], at: number, kept: Each): readonly Each[] =>
  at < list.length ? list.map((each, place) => (place === at ? kept : each)) : [...list, kept]

/** What the server is told of it: the picture by its number. */
export const toBeSaved = ({ image, text, label, edited_text, explanation }: GuidelineExample): GuidelineExampleIn => ({
  image,
  text,
  label,
  edited_text,
  explanation,
})
