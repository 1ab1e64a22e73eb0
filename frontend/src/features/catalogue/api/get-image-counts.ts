import { queryOptions, useQueries } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { ImageCounts } from '@/lib/api/served'

const getImageCounts = (slug: string, ids: readonly number[]): Promise<ImageCounts[]> =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/images/counts', {
      params: { path: { slug }, query: { images: ids.join(',') } },
    }),
  )

const imageCountsQuery = (slug: string, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['project', slug, 'image-counts', ids.join(',')],
    queryFn: () => getImageCounts(slug, ids),
    enabled: ids.length > 0,
  })

/** Counts by image id for the pages of the gallery that are on the screen. */
export function useImageCounts(slug: string, pages: readonly (readonly number[])[]): ReadonlyMap<number, ImageCounts> {
  return useQueries({
    queries: pages.map((ids) => imageCountsQuery(slug, ids)),
    combine: (answers) => new Map(answers.flatMap(({ data }) => data ?? []).map((counts) => [counts.image, counts])),
  })
}
