import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { Remark, RemarkIn } from '@/lib/api/served'

export type Waiting = 'all' | 'unread' | 'awaiting'

const getRemarks = (slug: string, annotator: number, waiting: Waiting, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/remarks', {
      params: {
        path: { slug },
        query: { annotator, ...(waiting !== 'all' && { waiting }), ...(cursor && { cursor }) },
      },
    }),
  )

/** What was written to one person, and what became of it. */
export function useRemarks(slug: string, annotator: number, waiting: Waiting) {
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['project', slug, 'remarks', 'written', annotator, waiting],
      queryFn: ({ pageParam }) => getRemarks(slug, annotator, waiting, pageParam),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => cursorOf(page.next),
    }),
  )
}

const writeRemark = (slug: string, body: RemarkIn): Promise<Remark> =>
  unwrap(api.POST('/api/v1/projects/{slug}/remarks', { params: { path: { slug } }, body }))

const replyTo = (id: number, text: string): Promise<Remark> =>
  unwrap(api.POST('/api/v1/remarks/{remark_id}/replies', { params: { path: { remark_id: id } }, body: { text } }))

/** Whatever is written shows in both lists. */
function useRenewed<Sent>(slug: string, send: (sent: Sent) => Promise<Remark>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['project', slug, 'remarks'] }),
  })
}

export const useWriteRemark = (slug: string) => useRenewed(slug, (body: RemarkIn) => writeRemark(slug, body))

export const useReply = (slug: string, id: number) => useRenewed(slug, (text: string) => replyTo(id, text))
