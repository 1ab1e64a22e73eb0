import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const attemptsQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'qualification', 'attempts'],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/qualification/attempts', {
          params: { path: { slug }, query: pageParam ? { cursor: pageParam } : {} },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

/** Everybody's attempts at the quiz, newest first. */
export function useAttempts(slug: string) {
  return useInfiniteQuery(attemptsQuery(slug))
}
