import { type QueryClient, queryOptions, skipToken, useQuery } from '@tanstack/react-query'

/** The HIT that was sent last, which one step back brings to the desk again once it has arrived. */
export interface LastSent {
  id: string
  hasArrived: boolean
}

const lastSentQuery = (slug: string) =>
  queryOptions<LastSent>({ queryKey: ['last-sent', slug], queryFn: skipToken, staleTime: Infinity, gcTime: Infinity })

export const useLastSent = (slug: string): LastSent | null => useQuery(lastSentQuery(slug)).data ?? null

export function noteSent(queryClient: QueryClient, slug: string, id: string): void {
  queryClient.setQueryData(lastSentQuery(slug).queryKey, { id, hasArrived: false })
}

/** A later one may be on its way by then: it stays the last. */
export function noteArrived(queryClient: QueryClient, slug: string, id: string): void {
  queryClient.setQueryData(lastSentQuery(slug).queryKey, (last) =>
    !last || last.id === id ? { id, hasArrived: true } : last,
  )
}
