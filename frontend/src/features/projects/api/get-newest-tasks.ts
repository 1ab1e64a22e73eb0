import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const nTasks = 6

const newestTasksQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'past-work', 'newest'],
    queryFn: () =>
      unwrap(api.GET('/api/v1/projects/{slug}/past-work', { params: { path: { slug }, query: { limit: nTasks } } })),
  })

/** The tasks that the person submitted last. */
export function useNewestTasks(slug: string) {
  return useQuery(newestTasksQuery(slug)).data?.results ?? []
}
