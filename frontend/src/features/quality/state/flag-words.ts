import type { Flag } from '@/lib/api/figures'
import { formatCount, formatDecimal, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import { formatFigure } from './figures'

interface FlagLook {
  /** Two or three words for a row. */
  name: string
  sentence: (params: Flag['params']) => string
  /** The column whose figure it is about. */
  column: 'passed' | 'agreement' | 'seconds' | null
}

const number = (value: number | undefined) => value ?? 0

const looks: Readonly<Record<string, FlagLook>> = {
  controls_below_others: {
    name: t.flagControls,
    sentence: ({ share, n, others }) =>
      t.flagControlsWords({ share: formatShare(number(share)), n: number(n), others: formatShare(number(others)) }),
    column: 'passed',
  },
  agreement_near_chance: {
    name: t.flagChance,
    sentence: ({ kappa, high, n }) =>
      t.flagChanceWords({ kappa: formatFigure(number(kappa)), high: formatFigure(number(high)), n: number(n) }),
    column: 'agreement',
  },
  straight_lining: {
    name: t.flagLines,
    sentence: ({ n_uniform: k, n, expected }) =>
      t.flagLinesWords({ k: number(k), n: number(n), expected: formatDecimal(number(expected), 1) }),
    column: null,
  },
  too_fast: {
    name: t.flagFast,
    sentence: ({ n_below: k, n, floor }) =>
      t.flagFastWords({ k: number(k), n: formatCount(number(n)), floor: formatDecimal(number(floor), 1) }),
    column: 'seconds',
  },
  follows_position: {
    name: t.flagPlace,
    sentence: ({ effect, n }) => t.flagPlaceWords({ effect: formatDecimal(number(effect), 2), n: number(n) }),
    column: null,
  },
}

/** A flag that this page does not know keeps the server's name. */
export const flagName = ({ code }: Flag): string => looks[code]?.name ?? code.replaceAll('_', ' ')

export const flagInWords = (flag: Flag): string => looks[flag.code]?.sentence(flag.params) ?? flagName(flag)

export const isFlagged = (flags: readonly Flag[] | undefined, column: FlagLook['column']): boolean =>
  flags?.some(({ code }) => looks[code]?.column === column) ?? false
