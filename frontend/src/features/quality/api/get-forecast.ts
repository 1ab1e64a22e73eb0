import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Forecast } from '@/lib/api/served'

const getForecast = (slug: string): Promise<Forecast> =>
  unwrap(api.GET('/api/v1/projects/{slug}/forecast', { params: { path: { slug } } }))

export const forecastQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'quality', 'forecast'], queryFn: () => getForecast(slug) })

export function useForecast(slug: string) {
  return useQuery(forecastQuery(slug))
}
