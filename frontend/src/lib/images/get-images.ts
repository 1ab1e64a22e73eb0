import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { paths } from '@/lib/api/schema'

export const pageSize = 100

/** What narrows and orders the images; nothing: all of them, oldest first. */
export type ImageFilter = Pick<
  NonNullable<paths['/api/v1/projects/{slug}/gallery']['get']['parameters']['query']>,
  'q' | 'state' | 'sort' | 'images'
>

const isEmpty = ({ q, state, sort, images }: ImageFilter): boolean =>
  !q && !state && !images && (!sort || sort === 'oldest')

const getImages = (slug: string, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/images', {
      params: { path: { slug }, query: { limit: pageSize, ...(cursor && { cursor }) } },
    }),
  )

const getFiltered = (slug: string, filter: ImageFilter, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/gallery', {
      params: { path: { slug }, query: { ...filter, limit: pageSize, ...(cursor && { cursor }) } },
    }),
  )

/** Pages of the gallery. Kept until an import changes them: reading 250 pages again on every focus helps nobody. */
export const imagesQuery = (slug: string, filter: ImageFilter = {}) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'images', ...(isEmpty(filter) ? [] : [filter])],
    queryFn: ({ pageParam }) =>
      isEmpty(filter) ? getImages(slug, pageParam) : getFiltered(slug, filter, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    // What people decide moves images from one state to another; imports alone change the list of all.
    staleTime: isEmpty(filter) ? Infinity : 30_000,
    gcTime: 30 * 60_000,
  })

export function useImages(slug: string, filter: ImageFilter = {}) {
  return useInfiniteQuery({ ...imagesQuery(slug, filter), placeholderData: keepPreviousData })
}
