import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const getStanding = (slug: string) =>
  unwrap(api.GET('/api/v1/projects/{slug}/standing', { params: { path: { slug } } }))

/** Where the person stands on a project: whether they may go on, and why not. */
export const standingQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'standing'], queryFn: () => getStanding(slug) })

export function useStanding(slug: string) {
  return useQuery(standingQuery(slug))
}
