import { suggestedKinds } from './suggestions'

/** What of an image's pool is shown, as it stands in the address. */
export interface PoolFilter {
  status?: 'new' | 'kept' | 'dropped'
  source?: string
  rule?: string
  flag?: string
  suggests?: (typeof suggestedKinds)[number]
  generic?: 'flagged'
  text?: string
  sort?: 'oldest' | 'newest' | 'source' | 'similarity' | 'rank' | 'generic'
}

export const statuses = ['kept', 'dropped', 'new'] as const
export const sorts = ['similarity', 'rank', 'source', 'generic', 'newest', 'oldest'] as const

const longestText = 200

const oneOf = <Value extends string>(known: readonly Value[], given: unknown): Value | undefined =>
  known.find((value) => value === given)

/** The router reads `?text=7` as a number. */
const words = (given: unknown): string | undefined =>
  typeof given === 'string' || typeof given === 'number' ? String(given).slice(0, longestText) || undefined : undefined

/** The filter in an address that anybody may have typed; what makes no sense in it asks nothing. */
export function readFilter(search: Readonly<Record<string, unknown>>): PoolFilter {
  const status = oneOf(statuses, search.status)
  const sort = oneOf(sorts, search.sort)
  const suggests = oneOf(suggestedKinds, search.suggests)
  const [source, rule, flag, text] = [search.source, search.rule, search.flag, search.text].map(words)
  return {
    ...(status && { status }),
    ...(source && { source }),
    ...(rule && { rule }),
    ...(flag && { flag }),
    ...(suggests && { suggests }),
    ...(search.generic === 'flagged' && { generic: 'flagged' as const }),
    ...(text && { text }),
    ...(sort && { sort }),
  }
}

export const without = (filter: PoolFilter, name: keyof PoolFilter): PoolFilter =>
  Object.fromEntries(Object.entries(filter).filter(([each]) => each !== name))

export const isNarrowed = (filter: PoolFilter): boolean => Object.keys(without(filter, 'sort')).length > 0
