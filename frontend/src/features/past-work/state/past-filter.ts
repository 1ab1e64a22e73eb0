import type { paths } from '@/lib/api/schema'

type Asked = NonNullable<paths['/api/v1/projects/{slug}/past-work']['get']['parameters']['query']>

/** Which answers are looked for; nothing: all. */
export interface PastFilter {
  label?: Exclude<NonNullable<Asked['label']>, ''>
  state?: Exclude<NonNullable<Asked['state']>, ''>
  q?: string
}

export const labels = ['good', 'bad', 'unsure'] as const
export const states = ['feedback', 'revised'] as const

export const isNarrowed = ({ label, state, q }: PastFilter): boolean => Boolean(label ?? state ?? q)

/** The filter that an address holds. */
export function readFilter({ label, state, q }: Readonly<Record<string, unknown>>): PastFilter {
  const answer = labels.find((each) => each === label)
  const known = states.find((each) => each === state)
  return {
    ...(answer && { label: answer }),
    ...(known && { state: known }),
    // Digits alone come out of an address as a number.
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q).slice(0, 100) }),
  }
}

const last = new Map<string, PastFilter>()

/** The filter by which a person came from the list to a task: the way back leads to the same list. */
export const rememberFilter = (slug: string, filter: PastFilter): void => void last.set(slug, filter)
export const lastFilter = (slug: string): PastFilter => last.get(slug) ?? {}
