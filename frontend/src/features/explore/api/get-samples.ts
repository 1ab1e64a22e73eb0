import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const getSamples = (slug: string) => unwrap(api.GET('/api/v1/projects/{slug}/samples', { params: { path: { slug } } }))

export const samplesQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'samples'], queryFn: () => getSamples(slug) })

/** A project's samples, newest first. */
export function useSamples(slug: string) {
  return useQuery(samplesQuery(slug))
}
