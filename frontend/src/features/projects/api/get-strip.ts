import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

export const nPictures = 6

/** As many as are drawn under the only project of a person. */
const nBelow = 12

/** The first images of a project, for a strip of pictures. */
const stripQuery = (slug: string, limit = nPictures) =>
  queryOptions({
    queryKey: ['project', slug, 'strip', limit],
    queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/images', { params: { path: { slug }, query: { limit } } })),
    staleTime: 5 * 60_000,
  })

export function useStrip(slug: string, isWanted: boolean) {
  return useQuery({ ...stripQuery(slug), enabled: isWanted }).data?.results ?? []
}

/** The images after those of the strip. */
export function useMoreImages(slug: string, isWanted: boolean) {
  const found = useQuery({ ...stripQuery(slug, nPictures + nBelow), enabled: isWanted }).data?.results ?? []
  return found.slice(nPictures)
}
