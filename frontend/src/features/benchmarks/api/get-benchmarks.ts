import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import { formOf } from '@/lib/api/form-of'
import type { Run } from '@/lib/api/served'
import type { BenchmarkAsked } from '../state/asked'
import type { Comparison, Evaluation, Leaderboard, Listed, Published, QueryRow } from './shapes'

const quickMs = 2000
const key = (slug: string) => ['project', slug, 'benchmarks'] as const
const keyOf = (id: string) => ['benchmark', id] as const

type Call = (path: string, init: object) => Promise<{ data?: unknown }>
const call = <Data>(verb: 'GET' | 'POST' | 'DELETE', path: string, init: object = {}) =>
  unwrap((api[verb] as unknown as Call)(path, init) as Promise<{ data?: Data }>)

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
  const step = `${data?.status ?? ''} ${data?.done ?? ''}`
  useEffect(() => void queryClient.invalidateQueries({ queryKey: [...key(slug), 'figures'] }), [queryClient, slug, step])
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
    queryFn: () =>
      call<Leaderboard>('GET', '/api/v1/projects/{slug}/releases/{release_id}/benchmarks', {
        params: { path: { slug, release_id: releaseId }, query },
      }),
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
      call<Published>('GET', '/api/v1/projects/{slug}/releases/{release_id}/benchmarks/published', {
        params: { path: { slug, release_id: releaseId }, query: dataset ? { dataset } : {} },
      }),
  })
}

export function useEvaluation(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: () =>
      call<Evaluation>('GET', '/api/v1/benchmarks/{evaluation_id}', { params: { path: { evaluation_id: id } } }),
    staleTime: Infinity,
  })
}

export const orders = ['best', 'worst', 'surprising'] as const

export interface QueriesAsked {
  direction: string
  order: (typeof orders)[number]
  category: string
}

/** The queries of a result with the ranks of their right items. */
export function useQueries(id: string, { direction, order, category }: QueriesAsked) {
  return useInfiniteQuery({
    queryKey: [...keyOf(id), 'queries', direction, order, category],
    queryFn: ({ pageParam }) =>
      call<Listed<QueryRow>>('GET', '/api/v1/benchmarks/{evaluation_id}/queries', {
        params: {
          path: { evaluation_id: id },
          query: { direction, order, limit: 12, ...(category && { category }), ...(pageParam && { cursor: pageParam }) },
        },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: Infinity,
  })
}

export const sides = ['different', 'a', 'b'] as const

export interface SidesAsked {
  direction: string
  order: (typeof sides)[number]
}

/** The same queries under two models, those with the largest difference first. */
export function useComparison(a: string, b: string, { direction, order }: SidesAsked) {
  return useInfiniteQuery({
    queryKey: ['benchmark', 'compare', a, b, direction, order],
    queryFn: ({ pageParam }) =>
      call<Comparison>('GET', '/api/v1/benchmarks/compare', {
        params: { query: { a, b, order, limit: 12, ...(direction && { direction }), ...(pageParam && { cursor: pageParam }) } },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
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
  models: string
  limit: number
  seed: number
}

/** Starts the stage that measures models. */
export const useMeasure = (slug: string) =>
  useChange(slug, ({ seed, ...parameters }: Asked) =>
    call('POST', '/api/v1/projects/{slug}/runs', {
      params: { path: { slug } },
      body: { stage: 'evaluate', parameters, seed },
    }),
  )

export interface Imported {
  result: File
  perQuery: File | null
  note: string
}

const formBody = (fields: Record<string, File | string | null>) => ({
  body: {},
  bodySerializer: () => formOf(fields),
})

export const useImportResult = (slug: string, releaseId: string) =>
  useChange(slug, ({ result, perQuery, note }: Imported) =>
    call('POST', '/api/v1/projects/{slug}/releases/{release_id}/benchmarks', {
      params: { path: { slug, release_id: releaseId } },
      ...formBody({ result, per_query: perQuery, note }),
    }),
  )

export const useDeletePublished = (slug: string) =>
  useChange(slug, (id: string) =>
    call('DELETE', '/api/v1/benchmarks/published/{table_id}', { params: { path: { table_id: id } } }),
  )

export const useAddPublished = (slug: string, releaseId: string) =>
  useChange(slug, (fields: { file: File; name: string; published_in: string }) =>
    call('POST', '/api/v1/projects/{slug}/releases/{release_id}/benchmarks/published', {
      params: { path: { slug, release_id: releaseId } },
      ...formBody(fields),
    }),
  )

export const useDeleteEvaluation = (slug: string) =>
  useChange(slug, (id: string) =>
    call('DELETE', '/api/v1/benchmarks/{evaluation_id}', { params: { path: { evaluation_id: id } } }),
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
