import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import { formOf } from '@/lib/api/form-of'
import type { Run } from '@/lib/api/served'
import type { BenchmarkAsked } from '../state/asked'
import type { Evaluation, Leaderboard, QueryDirection } from './shapes'

const quickMs = 2000
const key = (slug: string) => ['project', slug, 'benchmarks'] as const
const keyOf = (id: string) => ['benchmark', id] as const

/** Whether the newest run that measures models goes on. */
export const isRunning = (run: Run | null): boolean => run?.status === 'queued' || run?.status === 'running'

/** The newest run of the stage that measures models. The figures are read again with each step of it. */
export function useNewestRun(slug: string): Run | null {
  const queryClient = useQueryClient()
  const { data = null } = useQuery({
    queryKey: [...key(slug), 'run'],
    queryFn: async () => {
      const walk = await unwrap(api.GET('/api/v1/projects/{slug}/walk', { params: { path: { slug } } }))
      return walk.stages.find(({ name }) => name === 'evaluate')?.last_run ?? null
    },
    refetchInterval: ({ state }) => (isRunning(state.data ?? null) ? quickMs : false),
  })
  const step = data && `${data.status} ${data.done}`
  const before = useRef(step)
  useEffect(() => {
    const isNew = before.current !== null && before.current !== step
    before.current = step
    if (isNew) void queryClient.invalidateQueries({ queryKey: [...key(slug), 'figures'] })
  }, [queryClient, slug, step])
  return data
}

/** The newest releases, to choose one from. */
export function useReleaseChoices(slug: string) {
  return useQuery({
    queryKey: ['project', slug, 'releases', 'choices'],
    queryFn: () =>
      unwrap(api.GET('/api/v1/projects/{slug}/releases', { params: { path: { slug }, query: { limit: 50 } } })),
  })
}

/** The figures of all models on a release; asked again until all differences are computed. */
export function useLeaderboard(slug: string, releaseId: string, { task, category, reference }: BenchmarkAsked) {
  const query = { ...(task && { task }), ...(category && { category }), ...(reference && { reference }) }
  return useQuery({
    queryKey: [...key(slug), 'figures', releaseId, query],
    queryFn: (): Promise<Leaderboard> =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/releases/{release_id}/benchmarks', {
          params: { path: { slug, release_id: releaseId }, query },
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.is_complete === false ? quickMs : false),
    // The old figures stay while those of another category are read.
    placeholderData: (before, last) => (last?.queryKey[4] === releaseId ? before : undefined),
  })
}

/** Figures that others published, of one dataset. */
export function usePublished(slug: string, releaseId: string, dataset: string) {
  return useQuery({
    queryKey: [...key(slug), 'published', releaseId, dataset],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/releases/{release_id}/benchmarks/published', {
          params: { path: { slug, release_id: releaseId }, query: dataset ? { dataset } : {} },
        }),
      ),
  })
}

export function useEvaluation(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: async () => {
      const found = await unwrap(
        api.GET('/api/v1/benchmarks/{evaluation_id}', { params: { path: { evaluation_id: id } } }),
      )
      return found as unknown as Evaluation
    },
    staleTime: Infinity,
  })
}

const limit = 12

/** The number of the row that the next page begins with. */
const nextRow = ({ next }: { next: string | null }): number | undefined => {
  const cursor = cursorOf(next)
  return cursor === undefined ? undefined : Number(cursor)
}

export const orders = ['best', 'worst', 'surprising'] as const

export interface QueriesAsked {
  direction: QueryDirection | undefined
  order: (typeof orders)[number]
  category: string
}

/** The queries of a result with the ranks of their right items. */
export function useQueries(id: string, { direction, order, category }: QueriesAsked) {
  return useInfiniteQuery({
    queryKey: [...keyOf(id), 'queries', direction, order, category],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/benchmarks/{evaluation_id}/queries', {
          params: {
            path: { evaluation_id: id },
            query: { order, limit, cursor: pageParam, ...(direction && { direction }), ...(category && { category }) },
          },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: nextRow,
    staleTime: Infinity,
  })
}

export const sides = ['different', 'a', 'b'] as const

export interface SidesAsked {
  direction: QueryDirection | undefined
  category: string | undefined
  order: (typeof sides)[number]
}

/** The same queries under two models, those with the largest difference first. */
export function useComparison(a: string, b: string, { direction, category, order }: SidesAsked) {
  return useInfiniteQuery({
    queryKey: ['benchmark', 'compare', a, b, direction, category, order],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/benchmarks/compare', {
          params: {
            query: {
              a,
              b,
              order,
              limit,
              cursor: pageParam,
              ...(direction && { direction }),
              ...(category && { category }),
            },
          },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: nextRow,
    staleTime: Infinity,
  })
}

function useChange<Wish, Answer>(slug: string, change: (wish: Wish) => Promise<Answer>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: key(slug) }),
  })
}

export interface Asked {
  release: string
  task: string
  rule: string
  models: string
  limit: number
  seed: number
}

/** Starts the stage that measures models. */
export const useMeasure = (slug: string) =>
  useChange(slug, ({ seed, ...parameters }: Asked) =>
    unwrap(
      api.POST('/api/v1/projects/{slug}/runs', {
        params: { path: { slug } },
        body: { stage: 'evaluate', parameters: { ...parameters }, seed },
      }),
    ),
  )

export interface Imported {
  result: File
  perQuery: File | null
  note: string
}

export const useImportResult = (slug: string, releaseId: string) =>
  useChange(slug, ({ result, perQuery, note }: Imported) =>
    unwrap(
      api.POST('/api/v1/projects/{slug}/releases/{release_id}/benchmarks', {
        params: { path: { slug, release_id: releaseId } },
        // The form below is what is sent: the schema knows a file only as text.
        body: { result: '', note },
        bodySerializer: () => formOf({ result, per_query: perQuery, note }),
      }),
    ),
  )

export const useDeletePublished = (slug: string) =>
  useChange(slug, (id: string) =>
    api.DELETE('/api/v1/benchmarks/published/{table_id}', { params: { path: { table_id: id } } }),
  )

export const useAddPublished = (slug: string, releaseId: string) =>
  useChange(slug, (fields: { file: File; name: string; published_in: string }) =>
    unwrap(
      api.POST('/api/v1/projects/{slug}/releases/{release_id}/benchmarks/published', {
        params: { path: { slug, release_id: releaseId } },
        body: { file: '', name: fields.name, published_in: fields.published_in },
        bodySerializer: () => formOf({ ...fields }),
      }),
    ),
  )

export const useDeleteEvaluation = (slug: string) =>
  useChange(slug, (id: string) =>
    api.DELETE('/api/v1/benchmarks/{evaluation_id}', { params: { path: { evaluation_id: id } } }),
  )

export const exportFormats = ['csv', 'latex', 'markdown', 'svg', 'json'] as const

/** Where a file of the leaderboard is. */
export function exportUrl(slug: string, releaseId: string, format: string, asked: BenchmarkAsked): string {
  const { task, category, reference } = asked
  const query = new URLSearchParams({
    format,
    ...(task && { task }),
    ...(category && { category }),
    ...(reference && { reference }),
  })
  const path = `/api/v1/projects/${encodeURIComponent(slug)}/releases/${encodeURIComponent(releaseId)}/benchmarks/export`
  return `${path}?${query.toString()}`
}
