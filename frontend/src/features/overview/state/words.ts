import type { Overview } from '@/lib/api/served'
import { formatDecimal } from '@/lib/format/numbers'
import { locale } from '@/lib/language/language'

export const nameOf = ({ display_name: name, username }: Overview['people'][number]['user']): string => name || username

/** Two digits, as agreement is written everywhere. */
export const formatAlpha = (value: number): string => formatDecimal(value, 2)

/** Money comes as text, so that no cent is lost on the way. */
export const formatMoney = (amount: string): string =>
  Number(amount).toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export interface Next {
  to: '/projects/$slug/review' | '/projects/$slug/people' | '/projects/$slug/walk' | '/projects/$slug/releases'
  why: 'gate' | 'disputes' | 'cases' | 'people' | 'judging' | 'pipeline'
}

/** The one thing to do now: what blocks people comes first, then what only people can decide, then the pipeline. */
export function nextOf({ waiting, slots_open: open, n_people: people }: Overview, mayCurate: boolean): Next {
  if (waiting.waiting_at_gate > 0) return { to: '/projects/$slug/review', why: 'gate' }
  if (open > 0 && people === 0 && mayCurate) return { to: '/projects/$slug/people', why: 'people' }
  if (waiting.disputes > 0) return { to: '/projects/$slug/review', why: 'disputes' }
  if (waiting.open > 0) return { to: '/projects/$slug/review', why: 'cases' }
  if (open > 0) return { to: '/projects/$slug/people', why: 'judging' }
  return { to: '/projects/$slug/walk', why: 'pipeline' }
}
