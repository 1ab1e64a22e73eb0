import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Me, Session } from '@/lib/api/contract'

export const getSession = (): Promise<Session> => unwrap(api.GET('/api/v1/session'))

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: getSession, staleTime: 5 * 60_000 })

export function useSession() {
  return useQuery(sessionQuery)
}

/** The signed-in person, or null while nobody is. */
export function useMe(): Me | null {
  return useSession().data?.user ?? null
}
