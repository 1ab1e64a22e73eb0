import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { withAskedAt } from '@/lib/api/asked'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { PoolFilter } from '../state/pool-filter'

const pageSize = 100

const getPool = (slug: string, imageId: number, filter: PoolFilter, cursor?: string) =>
  withAskedAt(
    unwrap(
      api.GET('/api/v1/projects/{slug}/images/{image_id}/candidates', {
        params: {
          path: { slug, image_id: imageId },
          query: { limit: pageSize, ...filter, ...(cursor && { cursor }) },
        },
      }),
    ),
  )

const poolQuery = (slug: string, imageId: number, filter: PoolFilter) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'pool', imageId, filter],
    queryFn: ({ pageParam }) => getPool(slug, imageId, filter, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    // A list that is gone through stays as it is: rows that were decided would leave it.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** An image's captions as far as they fit the filter. What was shown before stays until the answer is here. */
export function usePool(slug: string, imageId: number, filter: PoolFilter) {
  return useInfiniteQuery({
    ...poolQuery(slug, imageId, filter),
    placeholderData: (before, query) => (query?.queryKey[3] === imageId ? before : undefined),
  })
}
