import { asApiError } from '@/lib/api/api-error'
import type { Candidate } from '@/lib/api/served'
import { t } from '@/messages/candidates'
import { type Decision, useDecideCandidate } from '../api/decide-candidate'
import { ruleName } from './rule-words'
import { useSaid } from './use-said'

const longestReason = 300

/** Why a caption is dropped again when keeping it is taken back: the rule's reason, which would be lost. */
const asBefore = ({ drop_rule, drop_detail, repeats }: Candidate): string =>
  t
    .asBefore({ dropRule: ruleName(drop_rule), value: drop_detail && !repeats ? `, ${drop_detail}` : '' })
    .slice(0, longestReason)

/** Keeping and dropping captions by hand, with one step back for a few seconds. */
export function useDecisions(slug: string) {
  // Callbacks of `mutate` are only called for the newest decision: a promise is kept for each.
  const { mutateAsync } = useDecideCandidate(slug)
  const { begin, agree, refuse, ...shown } = useSaid<Decision>()
  const decide = (decision: Decision, text: string, canGoBack: boolean) => {
    const one = begin(text)
    void mutateAsync(decision).then(
      ({ row }) => agree(one, canGoBack ? opposite(decision, row) : null),
      (error: unknown) => refuse(one, asApiError(error).message),
    )
  }
  const back = shown.said?.back
  return {
    ...shown,
    restore: (candidate: Candidate) => decide({ candidate, verdict: 'keep', reason: '' }, t.captionKept, true),
    drop: (candidate: Candidate, reason: string) =>
      decide({ candidate, verdict: 'drop', reason }, t.captionDropped, true),
    undo: () => back && decide(back, t.takenBack, false),
  }
}

const opposite = ({ candidate, verdict }: Decision, now: Candidate): Decision =>
  verdict === 'keep'
    ? { candidate: now, verdict: 'drop', reason: asBefore(candidate) }
    : { candidate: now, verdict: 'keep', reason: '' }
