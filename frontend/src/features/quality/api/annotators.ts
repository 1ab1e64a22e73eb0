import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { AnnotatorRow } from '@/lib/api/figures'
import type { AnnotatorDetail, StatusDecisionIn } from '@/lib/api/served'

const listKey = (slug: string) => ['project', slug, 'quality', 'annotators'] as const

/** All pages, so that the table can be sorted and filtered by any column. */
async function getAnnotators(slug: string): Promise<AnnotatorRow[]> {
  const rows: AnnotatorRow[] = []
  let cursor: string | undefined
  do {
    const page = await unwrap(
      api.GET('/api/v1/projects/{slug}/annotators', {
        params: { path: { slug }, query: { sort: 'username', ...(cursor && { cursor }) } },
      }),
    )
    rows.push(...page.results)
    cursor = cursorOf(page.next)
  } while (cursor)
  return rows
}

export const annotatorsQuery = (slug: string) =>
  queryOptions({ queryKey: [...listKey(slug), 'all'], queryFn: () => getAnnotators(slug) })

export function useAnnotators(slug: string) {
  return useQuery(annotatorsQuery(slug))
}

const getAnnotator = (slug: string, id: number): Promise<AnnotatorDetail> =>
  unwrap(api.GET('/api/v1/projects/{slug}/annotators/{user_id}', { params: { path: { slug, user_id: id } } }))

export const annotatorQuery = (slug: string, id: number) =>
  queryOptions({ queryKey: [...listKey(slug), 'one', id], queryFn: () => getAnnotator(slug, id) })

export function useAnnotator(slug: string, id: number) {
  return useQuery(annotatorQuery(slug, id))
}

const decideStatus = (slug: string, id: number, body: StatusDecisionIn): Promise<AnnotatorDetail> =>
  unwrap(
    api.POST('/api/v1/projects/{slug}/annotators/{user_id}/state', { params: { path: { slug, user_id: id } }, body }),
  )

/** A status changes figures and slots, so all of them are read again. */
export function useDecideStatus(slug: string, id: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (decision: StatusDecisionIn) => decideStatus(slug, id, decision),
    onSuccess: (detail) => {
      queryClient.setQueryData(annotatorQuery(slug, id).queryKey, detail)
      return queryClient.invalidateQueries({ queryKey: ['project', slug, 'quality'] })
    },
  })
}
