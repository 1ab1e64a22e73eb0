import { useEffect, useReducer, useRef } from 'react'
import type { Assignment, Label } from '@/lib/api/contract'
import { useMe } from '@/lib/session/get-session'
import { forgetDraft, loadDraft, saveDraft } from './drafts'
import { judgingReducer, startJudging } from './judging'

const start = ({ owner, assignment }: { owner: string; assignment: Assignment }) =>
  startJudging(assignment.items, loadDraft(owner, assignment))

/** The judging of one assignment, kept as a draft after every step. */
export function useJudging(assignment: Assignment) {
  const owner = useMe()?.username ?? ''
  const [state, dispatch] = useReducer(judgingReducer, { owner, assignment }, start)
  const { labels, ms, current } = state
  const timeSpent = useStopwatch(current)
  useEffect(() => {
    if (Object.keys(labels).length > 0) saveDraft(owner, assignment, { labels, ms, current })
    else forgetDraft(owner, assignment)
  }, [owner, assignment, labels, ms, current])
  return {
    state,
    judge: (label: Label) => dispatch({ type: 'judge', label, ms: timeSpent() }),
    move: (by: 1 | -1) => dispatch({ type: 'move', by }),
    open: (index: number) => dispatch({ type: 'open', index }),
    undo: () => dispatch({ type: 'undo' }),
  }
}

/** Milliseconds since this caption was opened, started anew when the person comes back to the tab. */
function useStopwatch(current: number): () => number {
  const startedAt = useRef(0)
  useEffect(() => {
    const restart = () => {
      startedAt.current = performance.now()
    }
    restart()
    document.addEventListener('visibilitychange', restart)
    return () => document.removeEventListener('visibilitychange', restart)
  }, [current])
  return () => performance.now() - startedAt.current
}
