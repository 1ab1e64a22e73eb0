import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, unwrap } from '@/lib/api/client'
import type { AssignmentSuggestions, SuggestedEdit } from '@/lib/api/contract'

export const getSuggestions = (id: string): Promise<AssignmentSuggestions> =>
  unwrap(api.GET('/api/v1/assignments/{assignment_id}/suggestions', { params: { path: { assignment_id: id } } }))

/** Forgotten with the HIT: who judges hundreds in a row would carry the query of each about. */
const suggestionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['suggestions', id],
    queryFn: () => getSuggestions(id),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })

const quietMs = 800
const none: readonly SuggestedEdit[] = []

/**
 * What may need an edit at a position of the HIT. Asked for once it has stood a moment, or when the editor opens: who
 * judges faster than that has not come to an edit. Work goes on without them where they cannot be had.
 */
export function useSuggestions(
  id: string | null,
  position: number | undefined,
  isEditing: boolean,
): readonly SuggestedEdit[] {
  const [isCalm, setCalm] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setCalm(true), quietMs)
    return () => clearTimeout(timer)
  }, [])
  const { data } = useQuery({ ...suggestionsQuery(id ?? ''), enabled: id !== null && (isCalm || isEditing) })
  return data?.items.find((item) => item.position === position)?.suggestions ?? none
}
