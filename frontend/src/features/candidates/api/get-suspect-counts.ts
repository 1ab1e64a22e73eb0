import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { SuspectCounts } from '@/lib/api/served'

const getSuspectCounts = (slug: string): Promise<SuspectCounts> =>
  unwrap(api.GET('/api/v1/projects/{slug}/suspects/counts', { params: { path: { slug } } }))

const suspectCountsQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'suspect-counts'], queryFn: () => getSuspectCounts(slug) })

export function useSuspectCounts(slug: string) {
  return useQuery(suspectCountsQuery(slug))
}
