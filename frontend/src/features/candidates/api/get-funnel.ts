import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Funnel } from '@/lib/api/served'

const getFunnel = (slug: string): Promise<Funnel> =>
  unwrap(api.GET('/api/v1/projects/{slug}/funnel', { params: { path: { slug } } }))

const funnelQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'funnel'], queryFn: () => getFunnel(slug) })

export function useFunnel(slug: string) {
  return useQuery(funnelQuery(slug))
}
