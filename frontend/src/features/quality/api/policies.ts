import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { Policy, PolicyDefaults, PolicyDetail, PolicyPreview, PolicyRule, Run } from '@/lib/api/served'

const policyKey = (slug: string) => ['project', slug, 'quality', 'policies'] as const

export const policiesQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: [...policyKey(slug), 'all'],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/policies', {
          params: { path: { slug }, query: pageParam ? { cursor: pageParam } : {} },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function usePolicies(slug: string) {
  return useInfiniteQuery(policiesQuery(slug))
}

const getDefaults = (slug: string): Promise<PolicyDefaults> =>
  unwrap(api.GET('/api/v1/projects/{slug}/policies/defaults', { params: { path: { slug } } }))

export const defaultsQuery = (slug: string) =>
  queryOptions({ queryKey: [...policyKey(slug), 'defaults'], queryFn: () => getDefaults(slug), staleTime: Infinity })

export function usePolicyDefaults(slug: string) {
  return useQuery(defaultsQuery(slug))
}

const getPolicy = (slug: string, version: number): Promise<PolicyDetail> =>
  unwrap(api.GET('/api/v1/projects/{slug}/policies/{version}', { params: { path: { slug, version } } }))

export function usePolicy(slug: string, version: number) {
  return useQuery({ queryKey: [...policyKey(slug), version], queryFn: () => getPolicy(slug, version) })
}

const previewPolicy = (slug: string, version: number): Promise<PolicyPreview> =>
  unwrap(api.GET('/api/v1/projects/{slug}/policies/{version}/preview', { params: { path: { slug, version } } }))

/** What would change is worked out each time it is asked for: it is about this moment. */
export function usePolicyPreview(slug: string, version: number) {
  return useQuery({
    queryKey: [...policyKey(slug), version, 'preview'],
    queryFn: () => previewPolicy(slug, version),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

const createPolicy = (slug: string, rules: readonly PolicyRule[], note: string): Promise<Policy> =>
  unwrap(api.POST('/api/v1/projects/{slug}/policies', { params: { path: { slug } }, body: { rules, note } }))

export function useCreatePolicy(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ rules, note }: { rules: readonly PolicyRule[]; note: string }) => createPolicy(slug, rules, note),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: policyKey(slug) }),
  })
}

/** Starts the run that applies a version; the answer names it. */
const applyPolicy = (slug: string, version: number): Promise<{ run: string }> =>
  unwrap(api.POST('/api/v1/projects/{slug}/policies/{version}/apply', { params: { path: { slug, version } } }))

export function useApplyPolicy(slug: string) {
  return useMutation({ mutationFn: (version: number) => applyPolicy(slug, version) })
}

const pollMs = 1000

export const isLive = (run: Run): boolean => run.status === 'queued' || run.status === 'running'

/** The run that applies a version, asked after for as long as it lives and somebody looks. */
export function useApplyRun(id: string) {
  return useQuery({
    queryKey: ['run', id],
    queryFn: () => unwrap(api.GET('/api/v1/runs/{run_id}', { params: { path: { run_id: id } } })),
    refetchInterval: ({ state }) => (state.data && isLive(state.data) ? pollMs : false),
  })
}
