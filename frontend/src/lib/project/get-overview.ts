import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Overview } from '@/lib/api/served'

const getOverview = (slug: string): Promise<Overview> =>
  unwrap(api.GET('/api/v1/projects/{slug}/overview', { params: { path: { slug } } }))

export const overviewQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'overview'], queryFn: () => getOverview(slug), refetchInterval: 60_000 })

export function useOverview(slug: string) {
  return useQuery(overviewQuery(slug))
}
