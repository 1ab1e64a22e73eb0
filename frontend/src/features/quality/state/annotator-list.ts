import type { TableSort } from '@/components/ui/table'
import type { AnnotatorRow, Habits } from '@/lib/api/figures'
import { nameOf } from './agreement-words'
import type { State } from './quality-words'

/** Which annotators the table shows, and in which order; it is part of the page's address. */
export interface AnnotatorList {
  state: State | null
  isFlagged: boolean
  sort: TableSort
}

const states: readonly State[] = ['active', 'warned', 'paused', 'excluded']

/** The order that is not written into the address: most flags first. */
export const usualSort: TableSort = { column: 'flags', isDescending: true }

export function readList(search: Readonly<Record<string, unknown>>): AnnotatorList {
  const sort = typeof search.sort === 'string' ? search.sort : ''
  const column = sort.replace(/^-/, '')
  return {
    state: states.find((state) => state === search.state) ?? null,
    isFlagged: search.flagged === 1 || search.flagged === '1',
    sort: Object.hasOwn(values, column) ? { column, isDescending: sort.startsWith('-') } : usualSort,
  }
}

export function listSearch({ state, isFlagged, sort }: AnnotatorList): Record<string, string | number> {
  const isUsual = sort.column === usualSort.column && sort.isDescending === usualSort.isDescending
  return {
    ...(state && { state }),
    ...(isFlagged && { flagged: 1 }),
    ...(!isUsual && { sort: `${sort.isDescending ? '-' : ''}${sort.column}` }),
  }
}

type Value = number | string | null | undefined

const values: Readonly<Record<string, (row: AnnotatorRow) => Value>> = {
  name: ({ user }) => nameOf(user).toLowerCase(),
  state: ({ state }) => states.indexOf(state),
  flags: ({ flags, needs_review: asked }) => flags.length + (asked ? 0.5 : 0),
  passed: ({ passed }) => passed?.share,
  agreement: (row) => agreementOf(row)?.share,
  kappa: ({ habits }) => habits?.kappa.value,
  pace: ({ pace }) => pace,
  seconds: ({ seconds }) => seconds,
  time: ({ active_seconds: seconds }) => seconds,
  hits: ({ hits }) => hits,
  skips: ({ skips }) => skips,
  late: ({ late }) => late,
  active: ({ last_active_at: at }) => (at === null ? null : Date.parse(at)),
}

/** Agreement with the consensus of the others, of all answers where a worker has calculated it. */
export const agreementOf = (row: AnnotatorRow) => row.habits?.with_consensus ?? row.agreement

export function withHabits(rows: readonly AnnotatorRow[], habits: readonly Habits[]): AnnotatorRow[] {
  const byPerson = new Map(habits.map((each) => [each.annotator.id, each]))
  return rows.map((row) => ({ ...row, habits: byPerson.get(row.user.id) }))
}

/** The rows that the list shows, sorted; who has no figure comes last either way. */
export function arrange(rows: readonly AnnotatorRow[], { state, isFlagged, sort }: AnnotatorList): AnnotatorRow[] {
  const valueOf = values[sort.column] ?? (() => null)
  const way = sort.isDescending ? -1 : 1
  return rows
    .filter((row) => (state === null || row.state === state) && (!isFlagged || row.flags.length > 0))
    .map((row) => ({ row, value: valueOf(row) }))
    .sort((a, b) => way * compare(a.value, b.value, way) || nameOf(a.row.user).localeCompare(nameOf(b.row.user)))
    .map(({ row }) => row)
}

function compare(a: Value, b: Value, way: 1 | -1): number {
  if (a == null || b == null) return a == null && b == null ? 0 : a == null ? way : -way
  if (typeof a === 'string' || typeof b === 'string') return String(a).localeCompare(String(b))
  return a - b
}
