import type { GuidelineExample, GuidelineExampleIn } from '@/lib/api/served'

/** An example whose picture can be named when it is saved. */
export type EditableExample = GuidelineExample & { image: number }

/** A list of examples as a curator rearranges it; what is given stays as it was. */

export function moved<Each>(list: readonly Each[], at: number, by: -1 | 1): readonly Each[] {
  const one = list[at]
  const other = list[at + by]
  if (one === undefined || other === undefined) return list
  return list.map((each, place) => (place === at ? other : place === at + by ? one : each))
}

export const without = <Each>(list: readonly Each[], at: number): readonly Each[] =>
  list.filter((_, place) => place !== at)

/** Null where a picture has no number: so they come to whoever may not change them, as a moment ago perhaps. */
export function editable(examples: readonly GuidelineExample[]): readonly EditableExample[] | null {
  const found = examples.filter((example): example is EditableExample => example.image !== null)
  return found.length === examples.length ? found : null
}

/** In the place of the one that stood there, or behind them all. */
export const withKept = <Each>(list: readonly Each[], at: number, kept: Each): readonly Each[] =>
  at < list.length ? list.map((each, place) => (place === at ? kept : each)) : [...list, kept]

/** What the server is told of it: the picture by its number. */
export const toBeSaved = ({ image, text, label, edited_text, explanation }: EditableExample): GuidelineExampleIn => ({
  image,
  text,
  label,
  edited_text,
  explanation,
})
