import type { Label } from '@/lib/api/contract'
import type { Answer, Pair, Votes } from '../api/shapes'

export const labels: readonly Label[] = ['good', 'bad', 'unsure']

export const countVotes = (votes: Votes): number => labels.reduce((sum, label) => sum + votes[label], 0)

/** How divided the answers are, in bits: 0 where all say one thing. */
export function entropyOf(votes: Votes): number {
  const n = countVotes(votes)
  return labels.reduce((sum, label) => {
    const share = n === 0 ? 0 : votes[label] / n
    return share === 0 ? sum : sum - share * Math.log2(share)
  }, 0)
}

/**
 * What stands of a pair until this decision; null where the answers are tied. A label beside it is a correction, of
 * which a reason is asked.
 */
export const standsOf = (pair: Pick<Pair, 'verdict' | 'consensus' | 'majority'>): Label | null =>
  pair.verdict?.label ?? pair.consensus ?? pair.majority

export const isCorrection = (pair: Pick<Pair, 'verdict' | 'consensus' | 'majority'>, label: Label): boolean => {
  const stands = standsOf(pair)
  return stands !== null && stands !== label
}

/** A letter for each person, so that rows can be told apart while names are hidden: A, B ... Z, AA. */
export function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last
}

/** Good, bad, unsure; those that count first. Rows keep their places when names are shown. */
export const inRows = (answers: readonly Answer[]): Answer[] =>
  [...answers].sort(
    (a, b) =>
      Number(b.is_counted) - Number(a.is_counted) ||
      labels.indexOf(a.label) - labels.indexOf(b.label) ||
      a.judgment - b.judgment,
  )
