import { useEffect, useState } from 'react'

/** What was just said of a decision, and what takes it back where there is something. */
export interface Said<Back> {
  text: string
  /** Until the server has answered. */
  isPending: boolean
  back: Back | null
}

const lifeMs = 8000

/** Whatever it is stays for a few seconds, from when it is settled. */
function useFading<Shown>(isSettled: (shown: Shown) => boolean) {
  const [shown, setShown] = useState<Shown | null>(null)
  const fades = shown !== null && isSettled(shown)
  useEffect(() => {
    if (!fades) return
    const timer = setTimeout(() => setShown(null), lifeMs)
    return () => clearTimeout(timer)
  }, [fades, shown])
  return [shown, setShown] as const
}

const isAnswered = ({ isPending }: { isPending: boolean }): boolean => !isPending
const always = (): boolean => true

/**
 * The last thing said of a decision and the last refusal, each for a few seconds: keys come faster than answers, and
 * what was refused must not be talked over by what comes next.
 */
export function useSaid<Back>() {
  const [said, setSaid] = useFading<Said<Back>>(isAnswered)
  const [refusal, setRefusal] = useFading<string>(always)
  const settle = (one: Said<Back>, next: Said<Back> | null) => setSaid((now) => (now === one ? next : now))
  return {
    said,
    refusal,
    /** Says what was decided; with what comes back its answer is told, unless something newer was said. */
    begin: (text: string): Said<Back> => {
      const one = { text, isPending: true, back: null }
      setSaid(one)
      return one
    },
    agree: (one: Said<Back>, back: Back | null) => settle(one, { ...one, isPending: false, back }),
    refuse: (one: Said<Back>, sentence: string) => {
      settle(one, null)
      setRefusal(sentence)
    },
    dismiss: () => setSaid(null),
    dismissRefusal: () => setRefusal(null),
  }
}
