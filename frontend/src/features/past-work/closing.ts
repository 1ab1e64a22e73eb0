import type { PastItem } from '@/lib/api/served'

export type Closing = NonNullable<PastItem['closed']>

/** The closing that all closed items of a page share, to be said once; null where none is closed, or by two words. */
export function oneClosing(items: readonly PastItem[]): Closing | null {
  const [first, ...others] = items.flatMap(({ closed }) => closed ?? [])
  return first && others.every(({ by, on }) => by === first.by && on === first.on) ? first : null
}
