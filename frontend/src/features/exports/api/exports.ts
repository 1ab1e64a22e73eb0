import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { Export, ExportIn } from '@/lib/api/served'
import { useChange } from '@/lib/api/use-change'

const exportsKey = (slug: string) => ['project', slug, 'exports'] as const
const place = (id: string) => ({ params: { path: { export_id: id } } })
const LIVE_MS = 1500

export const isLive = ({ state }: Export) => state === 'queued' || state === 'running'

const exportsQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: exportsKey(slug),
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/exports', {
          params: { path: { slug }, query: { limit: 20, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

/** The exports of a project, newest first; asked for again while one is not ready. */
export function useExports(slug: string) {
  return useInfiniteQuery({
    ...exportsQuery(slug),
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.results.some(isLive)) ? LIVE_MS : false),
  })
}

/** The newest releases, to choose one from. */
export function useReleaseChoices(slug: string) {
  return useQuery({
    queryKey: ['project', slug, 'releases', 'choices'],
    queryFn: () =>
      unwrap(api.GET('/api/v1/projects/{slug}/releases', { params: { path: { slug }, query: { limit: 50 } } })),
  })
}

export const useCreateExport = (slug: string) =>
  useChange(exportsKey(slug), (body: ExportIn) =>
    unwrap(api.POST('/api/v1/projects/{slug}/exports', { params: { path: { slug } }, body })),
  )

export const useCancelExport = (slug: string) =>
  useChange(exportsKey(slug), (id: string) => unwrap(api.POST('/api/v1/exports/{export_id}/cancel', place(id))))

export const useDeleteExport = (slug: string) =>
  useChange(exportsKey(slug), async (id: string) => {
    await api.DELETE('/api/v1/exports/{export_id}', place(id))
  })
