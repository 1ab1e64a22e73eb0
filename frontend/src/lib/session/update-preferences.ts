import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Me, Preferences, Session } from '@/lib/api/contract'
import { sessionQuery } from './get-session'

export const updatePreferences = (preferences: Preferences): Promise<Me> =>
  unwrap(api.PATCH('/api/v1/me', { body: { preferences } }))

/** Puts a changed profile where every page reads it. */
export function rememberMe(queryClient: QueryClient, user: Me): void {
  queryClient.setQueryData<Session>(sessionQuery.queryKey, (session) => session && { ...session, user })
}

export function useUpdatePreferences() {
  const queryClient = useQueryClient()
  return useMutation({ mutationFn: updatePreferences, onSuccess: (user) => rememberMe(queryClient, user) })
}
