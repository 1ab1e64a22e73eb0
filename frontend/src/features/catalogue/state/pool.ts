import type { Candidate, Selection, Votes } from '@/lib/api/served'

export interface PooledCaption {
  candidate: Candidate
  votes: Votes | undefined
}

export interface Pool {
  /** In the order of the release. */
  chosen: PooledCaption[]
  kept: PooledCaption[]
  uncleaned: PooledCaption[]
  dropped: PooledCaption[]
}

/** One image's captions by what became of them, each with its votes. A chosen caption is not listed again as kept. */
export function poolOf(
  candidates: readonly Candidate[],
  votes: readonly Votes[],
  selection: Selection | undefined,
): Pool {
  const votesOn = new Map(votes.map((each) => [each.candidate, each]))
  const places = new Map(selection?.captions.map((caption) => [caption.candidate, caption.position]))
  const pooled = candidates.map((candidate) => ({ candidate, votes: votesOn.get(candidate.id) }))
  const place = ({ candidate }: PooledCaption): number => places.get(candidate.id) ?? 0
  const isChosen = ({ candidate }: PooledCaption): boolean => places.has(candidate.id)
  const ofStatus = (status: Candidate['status']) =>
    pooled.filter((caption) => caption.candidate.status === status && !isChosen(caption))
  return {
    chosen: pooled.filter(isChosen).sort((a, b) => place(a) - place(b)),
    kept: ofStatus('kept'),
    uncleaned: ofStatus('new'),
    dropped: ofStatus('dropped'),
  }
}
