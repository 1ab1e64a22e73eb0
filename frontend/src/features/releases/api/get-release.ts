import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const getRelease = (id: string) =>
  unwrap(api.GET('/api/v1/releases/{release_id}', { params: { path: { release_id: id } } }))

/** A release never changes, so it is read once. */
export const releaseQuery = (id: string) =>
  queryOptions({ queryKey: ['release', id], queryFn: () => getRelease(id), staleTime: Infinity })

export function useRelease(id: string) {
  return useQuery(releaseQuery(id))
}
