import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

export const nPictures = 6

/** The first images of a project, for a strip of pictures. */
const stripQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'strip'],
    queryFn: () =>
      unwrap(api.GET('/api/v1/projects/{slug}/images', { params: { path: { slug }, query: { limit: nPictures } } })),
    staleTime: 5 * 60_000,
  })

export function useStrip(slug: string, isWanted: boolean) {
  return useQuery({ ...stripQuery(slug), enabled: isWanted }).data?.results ?? []
}
