import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Progress } from '@/lib/api/contract'

export const getProgress = (slug: string): Promise<Progress> =>
  unwrap(api.GET('/api/v1/projects/{slug}/progress', { params: { path: { slug } } }))

export const progressQuery = (slug: string) =>
  queryOptions({ queryKey: ['progress', slug], queryFn: () => getProgress(slug) })

export function useProgress(slug: string, isWanted = true) {
  return useQuery({ ...progressQuery(slug), enabled: isWanted })
}

/**
 * Reads the progress again after a submit. A first read may be under way since before the submit. TanStack Query would
 * take its answer and not ask again, so it is cancelled.
 */
export async function renewProgress(queryClient: QueryClient, slug: string): Promise<void> {
  const { queryKey } = progressQuery(slug)
  await queryClient.cancelQueries({ queryKey })
  await queryClient.invalidateQueries({ queryKey })
}
