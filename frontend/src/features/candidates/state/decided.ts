import { type MutationKey, type MutationState, useMutationState } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'

/** What the server said to a decision: the row as it stands there, and when it said so, in ms. */
export interface Answer<Row> {
  row: Row
  at: number
}

export const answered = <Row>(row: Row): Answer<Row> => ({ row, at: Date.now() })

interface Identified {
  id: number
}

type Decisions<Row, Decision> = readonly MutationState<Answer<Row>, Error, Decision>[]

/** The last state of each decided row, in the order of the decisions; a refused one leaves what stood before. */
function latestOf<Row extends Identified, Decision>(
  decisions: Decisions<Row, Decision>,
  expected: (decision: Decision) => Row,
): Map<number, Answer<Row>> {
  const latest = new Map<number, Answer<Row>>()
  for (const { status, data, variables } of decisions) {
    if (status === 'success' && data) latest.set(data.row.id, data)
    if (status !== 'pending' || variables === undefined) continue
    const row = expected(variables)
    latest.set(row.id, { row, at: Infinity })
  }
  return latest
}

/**
 * Gives a row of a page as it was decided since that page was asked for. Decisions are laid over lists when they are
 * shown and never written into them: a page that was under way meanwhile would write the old rows back.
 * `expected` is what a decision will probably come to; a module constant, as is the key.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- it types what the cache gives
export function useDecided<Row extends Identified, Decision>(
  mutationKey: MutationKey,
  expected: (decision: Decision) => Row,
): (row: Row, askedAt: number) => Row {
  const decisions: Decisions<Row, Decision> = useMutationState<MutationState<Answer<Row>, Error, Decision>>({
    filters: { mutationKey },
    select: ({ state }) => state,
  })
  const latest = useMemo(() => latestOf(decisions, expected), [decisions, expected])
  return useCallback(
    (row, askedAt) => {
      const decided = latest.get(row.id)
      return decided && decided.at >= askedAt ? decided.row : row
    },
    [latest],
  )
}
