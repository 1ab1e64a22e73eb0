import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const getDoor = (token: string) => unwrap(api.GET('/api/v1/s/{token}', { params: { path: { token } } }))

export const doorQuery = (token: string) =>
  queryOptions({
    queryKey: ['survey-door', token],
    queryFn: () => getDoor(token),
    // The page itself knows best what was answered since.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** What the link leads to, and how far this browser came. */
export function useDoor(token: string) {
  return useQuery(doorQuery(token))
}
