import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { mapOf } from './map-data'

const soonMs = 2000
const live = new Set(['queued', 'running'])

const path = (slug: string) => ({ params: { path: { slug } } })

const getMap = (slug: string) => unwrap(api.GET('/api/v1/projects/{slug}/map', path(slug)))

const getPoints = (slug: string): Promise<unknown> =>
  unwrap(api.GET('/api/v1/projects/{slug}/map/points', { ...path(slug), parseAs: 'arrayBuffer' }))

const getColumns = (slug: string) => unwrap(api.GET('/api/v1/projects/{slug}/map/columns', path(slug)))

/** Asked again quickly while the map is made. */
const mapQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'map'],
    queryFn: () => getMap(slug),
    refetchInterval: ({ state }) => (live.has(state.data?.run?.status ?? '') ? soonMs : false),
  })

export function useMap(slug: string) {
  return useQuery(mapQuery(slug))
}

async function getMapData(slug: string) {
  const [points, columns] = await Promise.all([getPoints(slug), getColumns(slug)])
  return mapOf(points as ArrayBuffer, columns)
}

/** Some megabytes: read again only after a new map is made, or when the page is opened again. */
const mapDataQuery = (slug: string, digest: string) =>
  queryOptions({
    queryKey: ['project', slug, 'map', digest],
    queryFn: () => getMapData(slug),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })

export function useMapData(slug: string, digest: string, isWanted = true) {
  return useQuery({ ...mapDataQuery(slug, digest), enabled: isWanted })
}

export function useMakeMap(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/api/v1/projects/{slug}/runs', {
          ...path(slug),
          body: { stage: 'map_captions', parameters: {}, seed: 0 },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['project', slug] }),
  })
}
