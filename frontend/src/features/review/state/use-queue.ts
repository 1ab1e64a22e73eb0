import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { announce } from '@/components/ui/announcer-store'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import { reviewCountsQuery } from '@/lib/review/get-review-counts'
import { t } from '@/messages/review'
import { caseQuery, casesQuery, prefetchCase, reviewKey, useCases } from '../api/cases'
import { sendDecision, sendUndo } from '../api/decide'
import type { Case, Decision, Detail } from '../api/shapes'
import { countsWith, type Decided, decisionsReducer, lastUndoable, leftOf, neighbourOf, nextOf, noDecisions } from './queue'
import { filterOf, type ReviewSearch } from './search'

const nAhead = 2
/** How many rows from the end of what is loaded the next page is asked for. */
const nearEnd = 10

export interface QueueProps {
  slug: string
  search: ReviewSearch
  /** Opens a case, or none, in the address. */
  onOpen: (id: number | null) => void
  /** Whether a case is always open beside the list. */
  isWide: boolean
}

/**
 * The queue of one head annotator: its list, the open case, and decisions that show at once. What the server refuses
 * comes back with a sentence that says why.
 */
export function useQueue({ slug, search, onOpen, isWide }: QueueProps) {
  const client = useQueryClient()
  const filter = filterOf(search)
  const list = useCases(slug, filter)
  const [decisions, dispatch] = useReducer(decisionsReducer, noDecisions)
  const sending = useRef(new Map<number, Promise<string | null>>())
  const undoing = useRef(new Map<number, Promise<void>>())
  /** The case whose decision is being taken back: the server does not know yet that it is open. */
  const [reopening, setReopening] = useState<number | null>(null)
  const listed = list.data?.pages.flatMap((page) => page.results) ?? []
  const cases = filter.state === 'done' ? listed : leftOf(listed, decisions)

  // The address follows after a moment. A key that is pressed meanwhile must meet the case that was opened last.
  const inAddress = search.case ?? null
  const [opened, setOpened] = useState<number | null | undefined>(undefined)
  if (opened === inAddress) setOpened(undefined)
  const current = opened === undefined ? inAddress : opened
  const open = useCallback(
    (id: number | null) => {
      setOpened(id)
      onOpen(id)
    },
    [onOpen],
  )

  const first = cases[0]?.id
  const isToOpen = isWide && current === null && first !== undefined
  useEffect(() => {
    if (isToOpen) onOpen(first)
  }, [isToOpen, first, onOpen])

  const at = cases.findIndex(({ id }) => id === current)
  const ahead = cases.slice(at + 1, at + 1 + nAhead)
  const coming = ahead.map(({ id }) => id).join()
  useEffect(() => {
    for (const each of ahead) prefetchCase(client, slug, each)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the same cases are fetched once
  }, [client, slug, coming])

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const isNearEnd = hasNextPage && !isFetchingNextPage && !list.isFetchNextPageError && at >= cases.length - nearEnd
  useEffect(() => {
    if (isNearEnd) void fetchNextPage()
  }, [isNearEnd, fetchNextPage])

  const adjust = (shown: Case, by: 1 | -1) => {
    const { queryKey } = reviewCountsQuery(slug)
    void client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, (counts) => counts && countsWith(counts, shown, by))
  }

  /** Fetches what the decisions changed, once none is on its way: an answer from before would bring cases back. */
  const renew = () => {
    if (sending.current.size > 0) return
    void client.invalidateQueries({ queryKey: reviewCountsQuery(slug).queryKey })
    void client.invalidateQueries({ queryKey: casesQuery(slug, filter).queryKey, refetchType: 'none' })
    for (const view of ['disputes', 'gate', 'heads']) {
      void client.invalidateQueries({ queryKey: [...reviewKey(slug), view] })
    }
  }

  const send = async (shown: Case, body: Decision): Promise<string | null> => {
    try {
      await undoing.current.get(shown.id)
      const { undo } = await sendDecision(slug, shown.id, body)
      dispatch({ kind: 'sent', id: shown.id, token: undo.token })
      return undo.token
    } catch (refusal) {
      const error = asApiError(refusal)
      const isClosed = error.code === 'already_closed'
      dispatch({ kind: 'refused', id: shown.id, isClosed })
      if (!isClosed) adjust(shown, 1)
      const words = isClosed ? t.closedByOther : t.notSaved({ why: error.message })
      showToast(words, 'bad')
      return null
    } finally {
      sending.current.delete(shown.id)
      client.removeQueries({ queryKey: caseQuery(slug, shown.id).queryKey, type: 'inactive' })
      renew()
    }
  }

  const decide = (shown: Detail, body: Decision, words: string) => {
    dispatch({ kind: 'decided', case: shown, words })
    adjust(shown, -1)
    announce(words)
    open(nextOf(cases, shown.id)?.id ?? null)
    sending.current.set(shown.id, send(shown, body))
  }

  const last = lastUndoable(decisions)
  /** Shows the case at once as it was before the decision, so that the next key decides it again. */
  const undo = () => {
    if (!last) return
    const { id } = last.case
    client.setQueryData(caseQuery(slug, id).queryKey, last.case)
    dispatch({ kind: 'undone', id })
    adjust(last.case, 1)
    setReopening(id)
    open(id)
    const done = takeBack(last).finally(() => {
      undoing.current.delete(id)
      setReopening((now) => (now === id ? null : now))
    })
    undoing.current.set(id, done)
  }

  const takeBack = async (decided: Decided) => {
    const { id } = decided.case
    // A decision that was refused is back already, with the reason.
    const token = decided.token ?? (await sending.current.get(id)) ?? null
    if (token === null) return
    try {
      await sendUndo(slug, token)
      showToast(t.undone)
    } catch (refusal) {
      dispatch({ kind: 'decided', case: decided.case, words: decided.words })
      dispatch({ kind: 'sent', id, token: null })
      adjust(decided.case, -1)
      showToast(t.cannotUndo({ why: asApiError(refusal).message }), 'bad')
    } finally {
      void client.invalidateQueries({ queryKey: caseQuery(slug, id).queryKey })
      void client.invalidateQueries({ queryKey: casesQuery(slug, filter).queryKey })
      renew()
    }
  }

  const step = (by: 1 | -1) => {
    const found = neighbourOf(cases, current, by)
    if (found) open(found.id)
  }
  return { list, cases, current, open, reopening, filter, decide, undo, step, last, nDone: decisions.past.length }
}

export type Queue = ReturnType<typeof useQueue>
