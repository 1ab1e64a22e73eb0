import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { MapThumbnail } from '@/lib/api/served'

const keyOf = (slug: string, image: number) => ['project', slug, 'map', 'thumbnail', image]

/** The thumbnails of these images, by image. What was read before is not asked for again. */
async function getThumbnails(queryClient: QueryClient, slug: string, images: readonly number[]) {
  const known = (image: number) => queryClient.getQueryData<MapThumbnail>(keyOf(slug, image))
  const missing = images.filter((image) => !known(image))
  if (missing.length > 0) {
    const found = await unwrap(
      api.GET('/api/v1/projects/{slug}/map/thumbnails', {
        params: { path: { slug }, query: { images: missing.join(',') } },
      }),
    )
    for (const each of found) queryClient.setQueryData(keyOf(slug, each.image), each)
  }
  return new Map(images.flatMap((image) => [known(image)].flatMap((each) => (each ? [[image, each.thumbnail]] : []))))
}

const thumbnailsQuery = (queryClient: QueryClient, slug: string, images: readonly number[]) =>
  queryOptions({
    queryKey: ['project', slug, 'map', 'thumbnails', images.join(',')],
    queryFn: () => getThumbnails(queryClient, slug, images),
    enabled: images.length > 0,
    staleTime: Infinity,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  })

export function useThumbnails(slug: string, images: readonly number[]) {
  return useQuery(thumbnailsQuery(useQueryClient(), slug, images))
}
