import { asApiError } from '@/lib/api/api-error'
import type { Suspect } from '@/lib/api/served'
import { type SuspectDecision, useDecideSuspect } from '../api/decide-suspect'
import { opposite, type Verdict } from './suspect-words'
import { useSaid } from './use-said'

const words: Record<Verdict, string> = {
  kept_out: 'The picture is kept out.',
  allowed: 'The picture may lend its captions from the next Retrieve on.',
}

/** Keeping suspects out and allowing them, with one step back: the opposite decision, for there is no third. */
export function useSuspectDecisions(slug: string) {
  const { mutate } = useDecideSuspect(slug)
  const { said, say, dismiss } = useSaid<SuspectDecision>()
  const decide = (suspect: Suspect, decision: Verdict) => {
    const text = words[decision]
    say({ text, tone: 'neutral', back: null })
    mutate(
      { suspect, decision },
      {
        onSuccess: (now) => say({ text, tone: 'neutral', back: { suspect: now, decision: opposite(decision) } }),
        onError: (error) => say({ text: asApiError(error).message, tone: 'bad', back: null }),
      },
    )
  }
  return { said, dismiss, decide, undo: () => said?.back && decide(said.back.suspect, said.back.decision) }
}
