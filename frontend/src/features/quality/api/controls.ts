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
import { formOf } from '@/lib/api/form-of'
import type { Control, ControlImport, ControlIn, ControlSupply } from '@/lib/api/served'

const qualityKey = (slug: string) => ['project', slug, 'quality'] as const
const controlKey = (slug: string) => [...qualityKey(slug), 'controls'] as const

export type ControlFilter = Control['state'] | ''

export const controlsQuery = (slug: string, state: ControlFilter) =>
  infiniteQueryOptions({
    queryKey: [...controlKey(slug), 'list', state],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/controls', {
          params: { path: { slug }, query: { ...(state && { state }), ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useControls(slug: string, state: ControlFilter) {
  return useInfiniteQuery(controlsQuery(slug, state))
}

const getSupply = (slug: string): Promise<ControlSupply> =>
  unwrap(api.GET('/api/v1/projects/{slug}/controls/supply', { params: { path: { slug } } }))

export const supplyQuery = (slug: string) =>
  queryOptions({ queryKey: [...controlKey(slug), 'supply'], queryFn: () => getSupply(slug) })

export function useSupply(slug: string) {
  return useQuery(supplyQuery(slug))
}

/** A change of controls, after which all of them, or what else it makes `stale`, are read anew. */
function useControlChange<Change, Result>(
  slug: string,
  change: (given: Change) => Promise<Result>,
  stale: readonly string[] = controlKey(slug),
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: stale }),
  })
}

export const useAddControl = (slug: string) =>
  useControlChange(slug, (body: ControlIn) =>
    unwrap(api.POST('/api/v1/projects/{slug}/controls', { params: { path: { slug } }, body })),
  )

export interface ControlChange {
  id: number
  state: Control['state']
}

/** Whose answers a control counts for changes with its state: people's scores are read anew, too. */
export const useChangeControl = (slug: string) =>
  useControlChange(
    slug,
    ({ id, state }: ControlChange) =>
      unwrap(
        api.PATCH('/api/v1/projects/{slug}/controls/{control_id}', {
          params: { path: { slug, control_id: id } },
          body: { state, reason: '' },
        }),
      ),
    qualityKey(slug),
  )

export const useDeleteControl = (slug: string) =>
  useControlChange(slug, (id: number) =>
    unwrap(api.DELETE('/api/v1/projects/{slug}/controls/{control_id}', { params: { path: { slug, control_id: id } } })),
  )

const importControls = (slug: string, file: File): Promise<ControlImport> =>
  unwrap(
    api.POST('/api/v1/projects/{slug}/controls/import', {
      params: { path: { slug } },
      body: { file: '' },
      bodySerializer: () => formOf({ file }),
    }),
  )

export const useImportControls = (slug: string) => useControlChange(slug, (file: File) => importControls(slug, file))
