import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const getTokens = (cursor?: string) =>
  unwrap(api.GET('/api/v1/me/tokens', { params: { query: cursor ? { cursor } : {} } }))

export const tokensQuery = infiniteQueryOptions({
  queryKey: ['tokens'],
  queryFn: ({ pageParam }) => getTokens(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => cursorOf(page.next),
})

export function useTokens() {
  return useInfiniteQuery(tokensQuery)
}
