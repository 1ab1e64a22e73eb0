import type { Candidate, Difficulty, Selection, Votes } from '@/lib/api/served'

export interface PooledCaption {
  candidate: Candidate
  votes: Votes | undefined
  /** Null where no panel of models was asked. */
  difficulty: Difficulty | null
}

export interface Pool {
  /** In the order of the release. */
  chosen: PooledCaption[]
  kept: PooledCaption[]
  uncleaned: PooledCaption[]
  dropped: PooledCaption[]
}

/** One image's captions by their status, each with its votes. A chosen caption is not listed again as kept. */
export function poolOf(
  candidates: readonly Candidate[],
  votes: readonly Votes[],
  selection: Selection | undefined,
): Pool {
  const votesOn = new Map(votes.map((each) => [each.candidate, each]))
  const chosen = new Map(selection?.captions.map((caption) => [caption.candidate, caption]))
  const pooled = candidates.map((candidate) => ({
    candidate,
    votes: votesOn.get(candidate.id),
    difficulty: chosen.get(candidate.id)?.difficulty ?? null,
  }))
  const place = ({ candidate }: PooledCaption): number => chosen.get(candidate.id)?.position ?? 0
  const isChosen = ({ candidate }: PooledCaption): boolean => chosen.has(candidate.id)
  const ofStatus = (status: Candidate['status']) =>
    pooled.filter((caption) => caption.candidate.status === status && !isChosen(caption))
  return {
    chosen: pooled.filter(isChosen).sort((a, b) => place(a) - place(b)),
    // Array.sort is stable: captions without votes, and equal ones, stay in the order they came.
    kept: ofStatus('kept').sort((a, b) => entropyOf(b.votes) - entropyOf(a.votes)),
    uncleaned: ofStatus('new'),
    dropped: ofStatus('dropped'),
  }
}

/** How divided the answers are, in bits: 0 where all say the same, below that where nobody has judged. */
export function entropyOf(votes: Pick<Votes, 'n_good' | 'n_bad' | 'n_unsure'> | undefined): number {
  const counts = votes ? [votes.n_good, votes.n_bad, votes.n_unsure] : []
  const n = counts.reduce((sum, count) => sum + count, 0)
  if (n === 0) return -1
  return counts.reduce((sum, count) => (count === 0 ? sum : sum - (count / n) * Math.log2(count / n)), 0)
}
