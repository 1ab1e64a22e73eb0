import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const getMapReleases = (slug: string) =>
  unwrap(api.GET('/api/v1/projects/{slug}/map/releases', { params: { path: { slug } } }))

const mapReleasesQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'map', 'releases'], queryFn: () => getMapReleases(slug) })

/** The newest releases with the ids of what they hold: data sets of the map. The map is complete without them. */
export function useMapReleases(slug: string) {
  return useQuery(mapReleasesQuery(slug))
}
