import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { Annotator, AnnotatorDetail, StatusDecisionIn } from '@/lib/api/served'

export type AnnotatorSort = 'username' | '-hits' | '-failed' | '-active' | '-state'

const listKey = (slug: string) => ['project', slug, 'quality', 'annotators'] as const

const getAnnotators = (slug: string, sort: AnnotatorSort, state: Annotator['state'] | '', cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/annotators', {
      params: { path: { slug }, query: { sort, ...(state && { state }), ...(cursor && { cursor }) } },
    }),
  )

export const annotatorsQuery = (slug: string, sort: AnnotatorSort, state: Annotator['state'] | '') =>
  infiniteQueryOptions({
    queryKey: [...listKey(slug), sort, state],
    queryFn: ({ pageParam }) => getAnnotators(slug, sort, state, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useAnnotators(slug: string, sort: AnnotatorSort, state: Annotator['state'] | '') {
  return useInfiniteQuery(annotatorsQuery(slug, sort, state))
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
