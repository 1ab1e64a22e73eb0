import type { RemarkState } from '@/lib/api/served'
import { everyRemark, type RemarkFilter } from '../api/remarks'

export const states: readonly RemarkState[] = ['sent', 'seen', 'acknowledged', 'answered', 'withdrawn']

const isState = (value: unknown): value is RemarkFilter['state'] =>
  value === 'waiting' || states.some((state) => state === value)

const idOf = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null)

/** What the address asks for; anything else in it asks for nothing. */
export function filterOf(search: Readonly<Record<string, unknown>>): RemarkFilter {
  const { state, annotator, author, template } = search
  return {
    state: isState(state) ? state : 'all',
    annotator: idOf(annotator),
    author: idOf(author),
    template: idOf(template),
  }
}

/** The same for the address, without what is not asked for. */
export function searchOf(filter: RemarkFilter): Record<string, unknown> {
  const wanted = Object.entries(filter).filter(([, value]) => value !== null && value !== 'all')
  return Object.fromEntries(wanted)
}

export const isEverything = (filter: RemarkFilter): boolean =>
  Object.keys(searchOf(filter)).length === Object.keys(searchOf(everyRemark)).length
