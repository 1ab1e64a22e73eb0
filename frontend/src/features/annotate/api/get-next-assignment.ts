import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { NextAssignment } from '@/lib/api/contract'

export const getNextAssignment = (slug: string): Promise<NextAssignment> =>
  unwrap(api.POST('/api/v1/projects/{slug}/assignments/next', { params: { path: { slug } } }))

/** The lease is fetched when the page opens and afterwards only replaced, never refreshed behind the person's back. */
export const nextAssignmentQuery = (slug: string) =>
  queryOptions({
    queryKey: ['next-assignment', slug],
    queryFn: () => getNextAssignment(slug),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export function useNextAssignment(slug: string) {
  return useQuery(nextAssignmentQuery(slug))
}
