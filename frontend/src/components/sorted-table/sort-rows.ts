export type SortValue = number | string | null | undefined

const words = new Intl.Collator(undefined, { numeric: true })

/** The rows by their values. Rows without a value come last in both orders; equal rows keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  isDescending: boolean,
): readonly Row[] {
  const way = isDescending ? -1 : 1
  return [...rows].sort((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)]
    if (a == null || b == null) return Number(a == null) - Number(b == null)
    return way * (typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b)))
  })
}
