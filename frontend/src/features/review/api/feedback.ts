import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { reviewKey } from './cases'

const reply = (remark_id: number, text: string) =>
  unwrap(api.POST('/api/v1/remarks/{remark_id}/replies', { params: { path: { remark_id } }, body: { text } }))

export function useReply(slug: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ remark, text }: { remark: number; text: string }) => reply(remark, text),
    onSuccess: () => client.invalidateQueries({ queryKey: reviewKey(slug) }),
  })
}

const getAnnotators = (slug: string) =>
  unwrap(api.GET('/api/v1/projects/{slug}/annotators', { params: { path: { slug }, query: { sort: 'username' } } }))

/** The people whose work may be in the queue. */
export function usePeople(slug: string) {
  const query = queryOptions({
    queryKey: [...reviewKey(slug), 'people'],
    queryFn: () => getAnnotators(slug),
    staleTime: 300_000,
  })
  return useQuery(query).data?.results ?? []
}
