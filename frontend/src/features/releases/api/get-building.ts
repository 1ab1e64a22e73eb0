import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Run } from '@/lib/api/served'
import { releasesQuery } from './get-releases'

const live: readonly string[] = ['queued', 'running']
const askAgainMs = 5_000

async function getBuilding(slug: string): Promise<Run | null> {
  const { results } = await unwrap(
    api.GET('/api/v1/projects/{slug}/runs', { params: { path: { slug }, query: { limit: 20 } } }),
  )
  return results.find(({ stage, status }) => stage === 'release' && live.includes(status)) ?? null
}

/** The run that makes the next release now, if there is one. When it ends, the list of releases is read again. */
export function useBuilding(slug: string, isAllowed: boolean): Run | null {
  const queryClient = useQueryClient()
  const queryKey = ['project', slug, 'release being made']
  const { data } = useQuery({
    queryKey,
    queryFn: async () => {
      const found = await getBuilding(slug)
      if (!found && queryClient.getQueryData(queryKey)) {
        void queryClient.invalidateQueries({ queryKey: releasesQuery(slug).queryKey })
      }
      return found
    },
    enabled: isAllowed,
    refetchInterval: ({ state }) => (state.data ? askAgainMs : false),
  })
  return data ?? null
}
