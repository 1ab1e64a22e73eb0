import {
  infiniteQueryOptions,
  queryOptions,
  skipToken,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type {
  Policy,
  PolicyCollector,
  PolicyDefaults,
  PolicyDetail,
  PolicyPreview,
  PolicyRule,
  Run,
} from '@/lib/api/served'
import { inOurLanguage } from '@/lib/language/catalogue'

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

async function getDefaults(slug: string): Promise<PolicyDefaults> {
  const path = { slug }
  const found = await unwrap(api.GET('/api/v1/projects/{slug}/policies/defaults', { params: { path } }))
  return { ...found, collectors: found.collectors.map(inOurWords) }
}

const inOurWords = (collector: PolicyCollector): PolicyCollector => ({
  ...collector,
  label: inOurLanguage(`collector_${collector.name}_label`, null, collector.label),
  share_of: inOurLanguage(`collector_${collector.name}_share_of`, null, collector.share_of),
  counts: inOurLanguage(`collector_${collector.name}_counts`, null, collector.counts),
})

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

/** Has a worker work out what would change; the answer names the run. */
const askPreview = (slug: string, version: number): Promise<{ run: string }> =>
  unwrap(api.POST('/api/v1/projects/{slug}/policies/{version}/preview', { params: { path: { slug, version } } }))

const getPreview = (slug: string, version: number): Promise<PolicyPreview> =>
  unwrap(api.GET('/api/v1/projects/{slug}/policies/{version}/preview', { params: { path: { slug, version } } }))

/** What would change is worked out anew for whoever comes to see it: it is about this moment. */
export function usePolicyPreview(slug: string, version: number) {
  const once = { staleTime: Infinity, gcTime: 0 }
  const key = ['preview of a policy', slug, version]
  const asked = useQuery({ queryKey: key, queryFn: () => askPreview(slug, version), retry: false, ...once })
  const runId = asked.data?.run
  const run = usePolicyRun(runId)
  const found = useQuery({
    queryKey: [...key, runId],
    queryFn: () => getPreview(slug, version),
    enabled: run.data?.status === 'succeeded',
    ...once,
  })
  const error = asked.error ?? run.error ?? found.error
  return { preview: found.data, run: run.data, error, askAgain: () => void asked.refetch() }
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

/** A run that applies or previews a version, asked after for as long as it lives and somebody looks. */
export function usePolicyRun(id: string | undefined) {
  return useQuery({
    queryKey: ['run', id],
    queryFn: id ? () => unwrap(api.GET('/api/v1/runs/{run_id}', { params: { path: { run_id: id } } })) : skipToken,
    refetchInterval: ({ state }) => (state.data && isLive(state.data) ? pollMs : false),
  })
}
