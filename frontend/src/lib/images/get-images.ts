import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

export const pageSize = 100

const getImages = (slug: string, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/images', {
      params: { path: { slug }, query: { limit: pageSize, ...(cursor && { cursor }) } },
    }),
  )

/** Pages of the gallery. Kept until an import changes them: reading 250 pages again on every focus helps nobody. */
export const imagesQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'images'],
    queryFn: ({ pageParam }) => getImages(slug, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: Infinity,
    gcTime: 30 * 60_000,
  })

export function useImages(slug: string) {
  return useInfiniteQuery(imagesQuery(slug))
}
