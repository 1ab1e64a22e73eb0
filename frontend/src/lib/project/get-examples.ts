import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { GuidelineExamples } from '@/lib/api/served'

const getExamples = (slug: string): Promise<GuidelineExamples> =>
  unwrap(api.GET('/api/v1/projects/{slug}/guidelines/examples', { params: { path: { slug } } }))

/** The worked examples of the guidelines; under the project, with which they change. */
export const examplesQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'examples'], queryFn: () => getExamples(slug) })

export function useExamples(slug: string, options: { staleTime?: number } = {}) {
  return useQuery({ ...examplesQuery(slug), ...options })
}
