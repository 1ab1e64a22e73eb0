import type { Run } from '@/lib/api/served'

export interface RunCounts {
  in: number | null
  out: number | null
  /** Reason and how many, the commonest first. */
  dropped: readonly (readonly [string, number])[]
  /** Files and rows that the import did not need, by reason. */
  ignored: readonly (readonly [string, number])[]
  /** What else the stage counted, such as `hits` or `captions`. */
  others: readonly (readonly [string, number])[]
}

const isCount = (entry: [string, unknown]): entry is [string, number] => typeof entry[1] === 'number'

function readDropped(value: unknown): [string, number][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .filter(isCount)
    .sort(([, a], [, b]) => b - a)
}

/** A run's free-form counts, read without trusting their shape. */
export function readCounts(run: Pick<Run, 'counts'>): RunCounts {
  const plain = Object.entries(run.counts).filter(isCount)
  const byName = new Map(plain)
  return {
    in: byName.get('in') ?? null,
    out: byName.get('out') ?? null,
    dropped: readDropped(run.counts.dropped),
    ignored: readDropped(run.counts.ignored),
    others: plain.filter(([name]) => name !== 'in' && name !== 'out'),
  }
}

/** How many rows fell out, for all reasons. */
export const countDropped = (run: Pick<Run, 'counts'>): number =>
  readCounts(run).dropped.reduce((sum, [, count]) => sum + count, 0)

/** How many files and rows of its source an import did not need. */
export const countIgnored = (run: Pick<Run, 'counts'>): number =>
  readCounts(run).ignored.reduce((sum, [, count]) => sum + count, 0)
