import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const getReports = (slug: string) => unwrap(api.GET('/api/v1/projects/{slug}/polysemy', { params: { path: { slug } } }))

const reportsQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'polysemy'], queryFn: () => getReports(slug) })

/** A project's polysemy reports, newest first. */
export function useReports(slug: string) {
  return useQuery(reportsQuery(slug))
}
