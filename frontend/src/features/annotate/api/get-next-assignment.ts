import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { NextAssignment } from '@/lib/api/contract'
import { preloadAssignment } from '../state/preload-image'

/** The HIT this person holds, or the next that needs them; what is in `holding` they have in hand already. */
export const getNextAssignment = (slug: string, holding: readonly string[] = []): Promise<NextAssignment> =>
  unwrap(
    api.POST('/api/v1/projects/{slug}/assignments/next', {
      params: { path: { slug } },
      body: { holding: [...holding] },
    }),
  )

/** What is leased is only ever replaced, never refreshed behind the person's back. */
const leased = { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false } as const

/** The HIT on the desk. */
export const nextAssignmentQuery = (slug: string) =>
  queryOptions({ queryKey: ['next-assignment', slug], queryFn: () => getNextAssignment(slug), ...leased })

export function useNextAssignment(slug: string) {
  return useQuery(nextAssignmentQuery(slug))
}

/** The HIT after the one on the desk, fetched while that is judged, its pictures decoded. */
export const upcomingAssignmentQuery = (slug: string, current: string) =>
  queryOptions({
    queryKey: ['upcoming-assignment', slug, current],
    queryFn: async () => {
      const found = await getNextAssignment(slug, [current])
      if (found.assignment) void preloadAssignment(found.assignment)
      return found
    },
    ...leased,
    retry: false,
  })

export function useUpcomingAssignment(slug: string, current: string | undefined, isWanted: boolean) {
  return useQuery({
    ...upcomingAssignmentQuery(slug, current ?? ''),
    enabled: current !== undefined && isWanted,
  })
}
