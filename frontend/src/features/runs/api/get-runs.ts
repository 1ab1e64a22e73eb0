import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { paths } from '@/lib/api/schema'
import type { Run } from '@/lib/api/served'

type RunsAsked = NonNullable<paths['/api/v1/projects/{slug}/runs']['get']['parameters']['query']>

const getRuns = (slug: string, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/runs', {
      params: { path: { slug }, query: { limit: 20, ...(cursor && { cursor }) } },
    }),
  )

export const runsQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'runs'],
    queryFn: ({ pageParam }) => getRuns(slug, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useRuns(slug: string) {
  return useInfiniteQuery(runsQuery(slug))
}

const getRunsOfStage = (slug: string, stage: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/runs', {
      // A stage that this version does not know is refused by the server, and the list stays away.
      params: { path: { slug }, query: { limit: 20, stage: stage as NonNullable<RunsAsked['stage']> } },
    }),
  )

export const runsOfStageQuery = (slug: string, stage: string) =>
  queryOptions({ queryKey: ['project', slug, 'runs', stage], queryFn: () => getRunsOfStage(slug, stage) })

/** The newest runs of the same stage but for the run itself. */
export function useOtherRuns(slug: string, run: Run): readonly Run[] {
  const { data } = useQuery(runsOfStageQuery(slug, run.stage))
  return data?.results.filter(({ id }) => id !== run.id) ?? []
}
