import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { RatedCaption } from '@/lib/api/served'

export type RatedCategory = RatedCaption['category']

const difficultyKey = (slug: string) => ['project', slug, 'difficulty'] as const
const path = (slug: string) => ({ path: { slug } })

export const summaryQuery = (slug: string) =>
  queryOptions({
    queryKey: [...difficultyKey(slug), 'summary'],
    queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/difficulty/summary', { params: path(slug) })),
  })

export function useSummary(slug: string) {
  return useQuery(summaryQuery(slug))
}

const examplesQuery = (slug: string, category: RatedCategory) =>
  infiniteQueryOptions({
    queryKey: [...difficultyKey(slug), 'examples', category],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/difficulty/examples', {
          params: { ...path(slug), query: { category, limit: 12, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useExamples(slug: string, category: RatedCategory) {
  return useInfiniteQuery(examplesQuery(slug, category))
}

/** Random panels of the stored scores; the seed says which. */
export function useRobustness(slug: string, seed: number) {
  return useQuery({
    queryKey: [...difficultyKey(slug), 'robustness', seed],
    queryFn: () =>
      unwrap(api.GET('/api/v1/projects/{slug}/difficulty/robustness', { params: { ...path(slug), query: { seed } } })),
    retry: false,
    placeholderData: (before) => before,
  })
}

/** New categories from the stored votes; everything on the page is read again. */
export function useChangePolicy(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (policy: string) =>
      unwrap(api.POST('/api/v1/projects/{slug}/difficulty/policy', { params: path(slug), body: { policy } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: difficultyKey(slug) }),
  })
}
