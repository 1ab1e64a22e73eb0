import { useEffect, useReducer, useRef } from 'react'
import type { Assignment, Label } from '@/lib/api/contract'
import type { Lens } from '@/lib/judging/annotation-words'
import { useMe } from '@/lib/session/get-session'
import { forgetDraft, loadDraft, saveDraft } from './drafts'
import { type Clock, judgingReducer, type Remarks, startJudging } from './judging'
import { sendDraftSoon } from './server-drafts'
import type { Unfinished } from './unfinished'

const start = ({ owner, assignment }: { owner: string; assignment: Assignment }) =>
  startJudging(assignment.items, loadDraft(owner, assignment))

/** The judging of one assignment, kept as a draft after every step and every letter written; not where it `isPreview`. */
export function useJudging(assignment: Assignment, isPreview = false) {
  const owner = useMe()?.username ?? ''
  const [state, dispatch] = useReducer(judgingReducer, { owner, assignment }, start)
  const { answers, unfinished, current } = state
  const timeSpent = useStopwatch(current)
  const clock = (): Clock => ({ ms: timeSpent(), at: new Date().toISOString() })
  const kept = useRef(state)
  useEffect(() => {
    if (isPreview) return
    if (kept.current.answers === answers && kept.current.unfinished === unfinished) return
    const isUntouched = Object.keys(answers).length === 0 && Object.keys(unfinished).length === 0
    const work = { answers, current, unfinished }
    if (isUntouched) void forgetDraft(owner, assignment.id)
    else saveDraft(owner, assignment, work)
    sendDraftSoon(assignment, work)
  }, [owner, assignment, answers, current, unfinished, isPreview])
  return {
    state,
    judge: (label: Label) => dispatch({ type: 'judge', label, clock: clock() }),
    giveLens: (index: number, lens: Lens | '') => dispatch({ type: 'lens', index, lens, clock: clock() }),
    remark: (index: number, change: Partial<Omit<Remarks, 'lens'>>, said: string) =>
      dispatch({ type: 'remark', index, change, said }),
    write: (index: number, change: Partial<Unfinished>) => dispatch({ type: 'write', index, change }),
    leaveEdit: (index: number) => dispatch({ type: 'leave-edit', index }),
    putByComment: (index: number, comment: string | null) => dispatch({ type: 'put-by-comment', index, comment }),
    move: (by: number) => dispatch({ type: 'move', by }),
    open: (index: number) => dispatch({ type: 'open', index }),
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
  }
}

/** Milliseconds since this pair was opened, without those in which another tab or window was in front. */
function useStopwatch(current: number): () => number {
  const counted = useRef({ before: 0, since: 0, isRunning: false })
  useEffect(() => {
    const isInFront = () => document.visibilityState === 'visible' && document.hasFocus()
    counted.current = { before: 0, since: performance.now(), isRunning: isInFront() }
    const look = () => {
      counted.current = { before: elapsed(counted.current), since: performance.now(), isRunning: isInFront() }
    }
    document.addEventListener('visibilitychange', look)
    window.addEventListener('focus', look)
    window.addEventListener('blur', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('focus', look)
      window.removeEventListener('blur', look)
    }
  }, [current])
  return () => elapsed(counted.current)
}

interface Counted {
  before: number
  since: number
  isRunning: boolean
}

const elapsed = ({ before, since, isRunning }: Counted): number => before + (isRunning ? performance.now() - since : 0)
