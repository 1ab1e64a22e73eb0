import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { keyOf } from './source'

/** A release never changes; whether it has a public page may. */
export const releaseQuery = (id: string) =>
  queryOptions({
    queryKey: keyOf({ kind: 'member', id }),
    queryFn: () => unwrap(api.GET('/api/v1/releases/{release_id}', { params: { path: { release_id: id } } })),
    staleTime: Infinity,
  })

export function useRelease(id: string) {
  return useQuery(releaseQuery(id))
}

export function usePublicRelease(token: string) {
  return useQuery({
    queryKey: keyOf({ kind: 'visitor', token }),
    queryFn: () => unwrap(api.GET('/api/v1/public/releases/{token}', { params: { path: { token } } })),
    staleTime: Infinity,
  })
}
