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
import type { Run, SelectionSummary } from '@/lib/api/served'
import type { SelectionFilter } from '../state/selection-filter'

const keyOf = (slug: string) => ['project', slug, 'selection'] as const

const summaryQuery = (slug: string) =>
  queryOptions({
    queryKey: [...keyOf(slug), 'summary'],
    queryFn: (): Promise<SelectionSummary> =>
      unwrap(api.GET('/api/v1/projects/{slug}/selection/summary', { params: { path: { slug } } })),
  })

export function useSelectionSummary(slug: string) {
  return useQuery(summaryQuery(slug))
}

const pageSize = 25

const imagesQuery = (slug: string, { status, order }: SelectionFilter) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(slug), 'images', status, order],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/selection/images', {
          params: {
            path: { slug },
            query: {
              limit: pageSize,
              order,
              ...(status !== 'all' && { status }),
              ...(pageParam && { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useSelectedImages(slug: string, filter: SelectionFilter) {
  return useInfiniteQuery(imagesQuery(slug, filter))
}

/** Starts Find captions for the images with too few good captions. */
export function useFindMore(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (): Promise<Run> =>
      unwrap(api.POST('/api/v1/projects/{slug}/selection/short_pools/more', { params: { path: { slug } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['project', slug, 'walk'] }),
  })
}
