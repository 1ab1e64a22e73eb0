import { asApiError } from '@/lib/api/api-error'
import type { Suspect } from '@/lib/api/served'
import { t } from '@/messages/candidates'
import { type SuspectDecision, useDecideSuspect } from '../api/decide-suspect'
import type { Verdict } from './suspect-words'
import { useSaid } from './use-said'

const words: Record<Verdict, string> = {
  kept_out: t.pictureKeptOut,
  allowed: t.pictureAllowed,
}

/** Keeping suspects out and allowing them, with one step back to what stood before. */
export function useSuspectDecisions(slug: string) {
  // Callbacks of `mutate` are only called for the newest decision: a promise is kept for each.
  const { mutateAsync } = useDecideSuspect(slug)
  const { begin, agree, refuse, ...shown } = useSaid<SuspectDecision>()
  const send = (sent: SuspectDecision, text: string, canGoBack: boolean) => {
    const one = begin(text)
    const before = sent.suspect.decision
    void mutateAsync(sent).then(
      ({ row }) => agree(one, canGoBack ? { suspect: row, decision: before } : null),
      (error: unknown) => refuse(one, asApiError(error).message),
    )
  }
  const back = shown.said?.back
  return {
    ...shown,
    decide: (suspect: Suspect, decision: Verdict) => send({ suspect, decision }, words[decision], true),
    undo: () => back && send(back, t.takenBack, false),
  }
}
