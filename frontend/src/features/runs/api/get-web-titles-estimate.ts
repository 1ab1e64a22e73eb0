import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { WebTitlesEstimate } from '@/lib/api/served'

const getWebTitlesEstimate = (slug: string): Promise<WebTitlesEstimate> =>
  unwrap(api.GET('/api/v1/projects/{slug}/web-titles/estimate', { params: { path: { slug } } }))

const webTitlesEstimateQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'web-titles-estimate'],
    queryFn: () => getWebTitlesEstimate(slug),
    // What a run would cost is only worth knowing as it is now.
    staleTime: 0,
  })

export function useWebTitlesEstimate(slug: string) {
  return useQuery(webTitlesEstimateQuery(slug))
}
