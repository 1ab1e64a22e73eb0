import { useEffect, useState } from 'react'

/** What was just said, and what takes it back where there is something. */
export interface Said<Back> {
  text: string
  tone: 'neutral' | 'bad'
  back: Back | null
}

const lifeMs = 8000

/** The last thing said about a decision, for a few seconds. */
export function useSaid<Back>() {
  const [said, setSaid] = useState<Said<Back> | null>(null)
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(() => setSaid(null), lifeMs)
    return () => clearTimeout(timer)
  }, [said])
  return { said, say: setSaid, dismiss: () => setSaid(null) }
}
