import { queryOptions, useQueries } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { ImageMarks } from '@/lib/api/served'

const getMarks = (slug: string, ids: readonly number[]): Promise<ImageMarks[]> =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/gallery/marks', {
      params: { path: { slug }, query: { images: ids.join(',') } },
    }),
  )

const marksQuery = (slug: string, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['project', slug, 'image-marks', ids.join(',')],
    queryFn: () => getMarks(slug, ids),
    enabled: ids.length > 0,
  })

/** Marks by image id for the pages of the gallery that are on the screen. */
export function useMarks(slug: string, pages: readonly (readonly number[])[]): ReadonlyMap<number, ImageMarks> {
  return useQueries({
    queries: pages.map((ids) => marksQuery(slug, ids)),
    combine: (answers) => new Map(answers.flatMap(({ data }) => data ?? []).map((marks) => [marks.image, marks])),
  })
}
