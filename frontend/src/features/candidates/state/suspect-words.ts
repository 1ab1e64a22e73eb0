import type { Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icon'
import type { Suspect, SuspectCounts } from '@/lib/api/served'
import { formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/candidates'

export type Verdict = Exclude<Suspect['decision'], 'open'>
export type SuspectFilter = Suspect['decision'] | 'all'

export const suspectFilters = ['open', 'kept_out', 'allowed', 'all'] as const

/** The filter in an address that anybody may have typed; without one, those that wait for a person. */
export const readSuspectFilter = (search: Readonly<Record<string, unknown>>): SuspectFilter =>
  suspectFilters.find((filter) => filter === search.decision) ?? 'open'

export const filterNames: Record<SuspectFilter, string> = {
  open: t.open,
  kept_out: t.keptOut,
  allowed: t.allowed,
  all: t.all,
}

export const countOf = (counts: SuspectCounts, filter: SuspectFilter): number =>
  filter === 'all' ? counts.open + counts.kept_out + counts.allowed : counts[filter]

/** The thousandths at which open suspects lie, from the least alike up; those that the hash alone found have none. */
export const cosinesOf = ({ open_by_cosine: rows }: SuspectCounts): number[] =>
  rows.flatMap(({ cosine }) => (cosine === null ? [] : [cosine]))

/** How many open suspects look at least so much alike; the hash found the others, which always count. */
export const openFrom = ({ open_by_cosine: rows }: SuspectCounts, least: number): number =>
  rows.reduce((sum, { cosine, n }) => (cosine === null || cosine >= least ? sum + n : sum), 0)

/** Colour, sign and word of what was decided; an open one is kept out until somebody looks. */
export const decisionLooks: Record<Suspect['decision'], { tone: Tone; icon: IconName; word: string }> = {
  open: { tone: 'unsure', icon: 'question', word: t.openMeanwhile },
  kept_out: { tone: 'done', icon: 'cross', word: t.keptOut },
  allowed: { tone: 'done', icon: 'check', word: t.allowed },
}

const hashBits = 64

/** What each rule saw, in words: the numbers that made it suspect the picture. */
export function evidenceOf({ bits, cosine }: Suspect): string[] {
  const seen: string[] = []
  if (bits !== null) seen.push(bits === 0 ? t.sameHash : t.hashDiffers({ bits, hashBits }))
  if (cosine !== null) seen.push(t.cosine({ cosine: formatDecimal(cosine, 3) }))
  return seen
}
