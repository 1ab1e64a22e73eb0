import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

export const getMine = (slug: string) =>
  unwrap(api.GET('/api/v1/projects/{slug}/qualification/mine', { params: { path: { slug } } }))

/** What is asked of the person before the first HIT, and how far they are. */
export const mineQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'qualification', 'mine'], queryFn: () => getMine(slug), staleTime: 0 })

export function useMyQualification(slug: string) {
  return useQuery(mineQuery(slug))
}

const readGuidelines = (slug: string, digest: string) =>
  unwrap(
    api.POST('/api/v1/projects/{slug}/qualification/guidelines-read', {
      params: { path: { slug } },
      body: { guidelines_digest: digest },
    }),
  )

/** Where another text stands by now, what is to be read is fetched anew. */
export function useReadGuidelines(slug: string) {
  const queryClient = useQueryClient()
  const { queryKey } = mineQuery(slug)
  return useMutation({
    mutationFn: (digest: string) => readGuidelines(slug, digest),
    onSuccess: (mine) => queryClient.setQueryData(queryKey, mine),
    onError: () => queryClient.invalidateQueries({ queryKey }),
  })
}
