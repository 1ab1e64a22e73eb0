import { useEffect, useRef, useState } from 'react'
import { useMe } from '@/lib/session/get-session'
import { type Hold, holdAlone } from '@/lib/tabs/hold-alone'
import { recallDraft } from './drafts'

export interface HeldHit {
  /** Another tab of this browser works on it: what is written here would undo what is written there. */
  isElsewhere: boolean
  takeOver: () => void
  /** Another one each time it came here from another tab, with what was judged there. */
  turn: number
}

const ours = { isElsewhere: false, turn: 0 }

/** Keeps a HIT to the one tab that works on it. */
export function useHold(assignmentId: string): HeldHit {
  const owner = useMe()?.username ?? ''
  const name = `connote.hit.${owner}.${assignmentId}`
  const [found, setFound] = useState({ name, ...ours })
  const hold = useRef<Hold | null>(null)
  useEffect(() => {
    let isAway = false
    let turn = 0
    const tell = async (isOurs: boolean) => {
      if (isOurs === !isAway) return
      isAway = !isOurs
      if (isOurs) {
        await recallDraft(owner, assignmentId)
        turn += 1
      }
      setFound({ name, isElsewhere: isAway, turn })
    }
    hold.current = holdAlone(name, (isOurs) => void tell(isOurs))
    return () => hold.current?.release()
  }, [owner, assignmentId, name])
  const { isElsewhere, turn } = found.name === name ? found : ours
  return { isElsewhere, turn, takeOver: () => hold.current?.takeOver() }
}
