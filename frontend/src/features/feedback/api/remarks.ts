import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { Remark, RemarkState } from '@/lib/api/served'
import { feedbackCountsQuery } from '@/lib/feedback/get-waiting'

export interface RemarkFilter {
  state: RemarkState | 'waiting' | 'all'
  annotator: number | null
  author: number | null
  template: number | null
}

export const everyRemark: RemarkFilter = { state: 'all', annotator: null, author: null, template: null }

const getRemarks = (slug: string, { state, annotator, author, template }: RemarkFilter, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/remarks', {
      params: {
        path: { slug },
        query: {
          ...(annotator !== null && { annotator }),
          ...(author !== null && { author }),
          ...(template !== null && { template }),
          ...(state === 'waiting' && { is_waiting: true }),
          ...(state !== 'all' && state !== 'waiting' && { state }),
          ...(cursor && { cursor }),
        },
      },
    }),
  )

/** What was written, newest first, with its state. */
export function useRemarks(slug: string, filter: RemarkFilter) {
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['project', slug, 'remarks', 'written', filter],
      queryFn: ({ pageParam }) => getRemarks(slug, filter, pageParam),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => cursorOf(page.next),
    }),
  )
}

export const useRemarkCounts = (slug: string) => useQuery(feedbackCountsQuery(slug))

const replyTo = (id: number, text: string): Promise<Remark> =>
  unwrap(api.POST('/api/v1/remarks/{remark_id}/replies', { params: { path: { remark_id: id } }, body: { text } }))

const withdraw = (id: number): Promise<Remark> =>
  unwrap(api.POST('/api/v1/remarks/{remark_id}/withdraw', { params: { path: { remark_id: id } } }))

/** All lists of feedback are read again. */
function useRenewed<Sent>(slug: string, send: (sent: Sent) => Promise<Remark>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['project', slug, 'remarks'] }),
        queryClient.invalidateQueries({ queryKey: ['project', slug, 'feedback'] }),
      ]),
  })
}

export const useReply = (slug: string, id: number) => useRenewed(slug, (text: string) => replyTo(id, text))

export const useWithdraw = (slug: string, id: number) => useRenewed(slug, () => withdraw(id))
