import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Walk } from '@/lib/api/served'

const quickMs = 1500
const calmMs = 20_000

export const getWalk = (slug: string): Promise<Walk> =>
  unwrap(api.GET('/api/v1/projects/{slug}/walk', { params: { path: { slug } } }))

/** Asked again quickly while a stage runs, and now and then while people judge. */
export const walkQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'walk'],
    queryFn: () => getWalk(slug),
    refetchInterval: ({ state }) => (state.data?.stages.some((stage) => stage.state === 'running') ? quickMs : calmMs),
  })

export function useWalk(slug: string) {
  return useQuery(walkQuery(slug))
}
