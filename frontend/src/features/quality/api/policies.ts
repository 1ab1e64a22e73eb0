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

const pollMs = 500
const live: readonly Run['status'][] = ['queued', 'running']

/** Starts the run that applies a version and waits for its end. */
async function applyPolicy(slug: string, version: number): Promise<Run> {
  const started = await unwrap(
    api.POST('/api/v1/projects/{slug}/policies/{version}/apply', { params: { path: { slug, version } } }),
  )
  for (;;) {
    const run = await unwrap(api.GET('/api/v1/runs/{run_id}', { params: { path: { run_id: started.run } } }))
    if (!live.includes(run.status)) return run
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

export function useApplyPolicy(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (version: number) => applyPolicy(slug, version),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['project', slug, 'quality'] }),
  })
}
