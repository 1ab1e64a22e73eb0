import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Qualification, QualificationIn } from '@/lib/api/served'

const getTerms = (slug: string): Promise<Qualification> =>
  unwrap(api.GET('/api/v1/projects/{slug}/qualification', { params: { path: { slug } } }))

export const termsQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug, 'qualification', 'terms'], queryFn: () => getTerms(slug) })

export function useTerms(slug: string) {
  return useQuery(termsQuery(slug))
}

const setTerms = (slug: string, body: QualificationIn): Promise<Qualification> =>
  unwrap(api.PUT('/api/v1/projects/{slug}/qualification', { params: { path: { slug } }, body }))

export function useSetTerms(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: QualificationIn) => setTerms(slug, body),
    onSuccess: (terms) => queryClient.setQueryData(termsQuery(slug).queryKey, terms),
  })
}
