import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

/** What the signed-in person answered on each of the last 14 days. */
const ownDaysQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'past-work', 'days'],
    queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/past-work/days', { params: { path: { slug } } })),
  })

export function useOwnDays(slug: string) {
  return useQuery(ownDaysQuery(slug))
}
