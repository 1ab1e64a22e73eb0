import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { PoolSummary } from '@/lib/api/served'

const getPoolSummary = (slug: string, imageId: number): Promise<PoolSummary> =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/images/{image_id}/candidates/summary', {
      params: { path: { slug, image_id: imageId } },
    }),
  )

export const poolSummaryQuery = (slug: string, imageId: number) =>
  queryOptions({
    queryKey: ['project', slug, 'pool-summary', imageId],
    queryFn: () => getPoolSummary(slug, imageId),
  })

export function usePoolSummary(slug: string, imageId: number) {
  return useQuery(poolSummaryQuery(slug, imageId))
}
