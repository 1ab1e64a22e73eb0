import type { Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icon'
import type { Suspect, SuspectCounts } from '@/lib/api/served'

export type Verdict = Exclude<Suspect['decision'], 'open'>
export type SuspectFilter = Suspect['decision'] | 'all'

export const suspectFilters = ['open', 'kept_out', 'allowed', 'all'] as const

/** The filter in an address that anybody may have typed; without one, those that wait for a person. */
export const readSuspectFilter = (search: Readonly<Record<string, unknown>>): SuspectFilter =>
  suspectFilters.find((filter) => filter === search.decision) ?? 'open'

export const filterNames: Record<SuspectFilter, string> = {
  open: 'Open',
  kept_out: 'Kept out',
  allowed: 'Allowed',
  all: 'All',
}

export const countOf = (counts: SuspectCounts, filter: SuspectFilter): number =>
  filter === 'all' ? counts.open + counts.kept_out + counts.allowed : counts[filter]

/** Colour, sign and word of what was decided; an open one is kept out until somebody looks. */
export const decisionLooks: Record<Suspect['decision'], { tone: Tone; icon: IconName; word: string }> = {
  open: { tone: 'unsure', icon: 'question', word: 'Open, kept out meanwhile' },
  kept_out: { tone: 'bad', icon: 'cross', word: 'Kept out' },
  allowed: { tone: 'good', icon: 'check', word: 'Allowed' },
}

const hashBits = 64

/** What each rule saw, in words: the numbers that made it suspect the picture. */
export function evidenceOf({ bits, cosine }: Suspect): string[] {
  const seen: string[] = []
  if (bits !== null) seen.push(bits === 0 ? 'same perceptual hash' : `hash differs in ${bits} of ${hashBits} bits`)
  if (cosine !== null) seen.push(`cosine ${cosine.toFixed(3)}`)
  return seen
}
