import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Progress } from '@/lib/api/contract'

export const getProgress = (slug: string): Promise<Progress> =>
  unwrap(api.GET('/api/v1/projects/{slug}/progress', { params: { path: { slug } } }))

export const progressQuery = (slug: string) =>
  queryOptions({ queryKey: ['progress', slug], queryFn: () => getProgress(slug) })

export function useProgress(slug: string) {
  return useQuery(progressQuery(slug))
}
