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

/** One image's captions by what became of them, each with its votes. A chosen caption is not listed again as kept. */
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
    kept: ofStatus('kept'),
    uncleaned: ofStatus('new'),
    dropped: ofStatus('dropped'),
  }
}
