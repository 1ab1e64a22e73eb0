import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { annotatorsKey } from '@/lib/annotators/get-annotators'
import { api, unwrap } from '@/lib/api/client'
import type { AnnotatorDetail, StatusDecisionIn } from '@/lib/api/served'

const getAnnotator = (slug: string, id: number): Promise<AnnotatorDetail> =>
  unwrap(api.GET('/api/v1/projects/{slug}/annotators/{user_id}', { params: { path: { slug, user_id: id } } }))

export const annotatorQuery = (slug: string, id: number) =>
  queryOptions({ queryKey: [...annotatorsKey(slug), 'one', id], queryFn: () => getAnnotator(slug, id) })

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
