import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { reviewKey } from './cases'

const getHeads = (slug: string) =>
  unwrap(api.GET('/api/v1/projects/{slug}/review/heads', { params: { path: { slug } } }))

/** How far head annotators agree with each other, from second looks. */
export function useHeads(slug: string) {
  return useQuery(queryOptions({ queryKey: [...reviewKey(slug), 'heads'], queryFn: () => getHeads(slug) }))
}
