import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const getAnnotatorState = (slug: string) =>
  unwrap(api.GET('/api/v1/projects/{slug}/annotator-state', { params: { path: { slug } } }))

/** The status of the user in a project, with the reasons for it. */
export const annotatorStateQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'annotator-state'], queryFn: () => getAnnotatorState(slug) })

export function useAnnotatorState(slug: string) {
  return useQuery(annotatorStateQuery(slug))
}
