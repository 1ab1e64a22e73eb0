import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { HitPreview } from '@/lib/api/contract'

/** A HIT as annotators see it: the one behind `after`, and behind the last the first again. */
export const getPreview = (slug: string, after: number): Promise<HitPreview> =>
  unwrap(api.GET('/api/v1/projects/{slug}/preview', { params: { path: { slug }, query: { after } } }))

const previewQuery = (slug: string, after: number) =>
  queryOptions({ queryKey: ['preview', slug, after], queryFn: () => getPreview(slug, after), staleTime: Infinity })

export function usePreview(slug: string, after: number) {
  return useQuery({ ...previewQuery(slug, after), placeholderData: keepPreviousData })
}
