import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { keyOf } from './source'

const linkKey = (id: string) => ['release-link', id] as const
const path = (id: string) => ({ params: { path: { release_id: id } } })

/** The public page of a release, for its curators. */
export function usePublicLink(id: string) {
  return useQuery({
    queryKey: linkKey(id),
    queryFn: () => unwrap(api.GET('/api/v1/releases/{release_id}/link', path(id))),
  })
}

export function useOpenLink(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { is_indexable: boolean; despite_work: boolean }) =>
      unwrap(api.POST('/api/v1/releases/{release_id}/link', { ...path(id), body })),
    onSuccess: (link) => {
      client.setQueryData(linkKey(id), link)
      // The citation and the code have the new address.
      return client.invalidateQueries({ queryKey: keyOf({ kind: 'member', id }), exact: true })
    },
  })
}

export function useCloseLink(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/v1/releases/{release_id}/link', path(id))),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: linkKey(id) }),
        client.invalidateQueries({ queryKey: keyOf({ kind: 'member', id }), exact: true }),
      ]),
  })
}
