import { t } from '@/messages/quality'

const why: Readonly<Record<string, string>> = {
  nothing_shared: t.noneBoth,
  no_overlap: t.noneBoth,
  no_names: t.noneBoth,
  none_counted: t.noneCounted,
  one_item: t.oneBoth,
  one_label: t.allSame,
  no_two: t.noTwo,
  beyond_largest: t.beyondLargest,
}

/** Why two people have no kappa. */
export const whyNoKappa = (code: string | null): string => why[code ?? 'nothing_shared'] ?? t.notDefined
