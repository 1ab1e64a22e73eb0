import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { JudgmentIn, Page } from '@/lib/api/contract'
import type { Remark, RemarkAnswerIn } from '@/lib/api/served'
import { reviseJudgment } from '@/lib/judging/revise-judgment'
import { unreadQuery } from '@/lib/remarks/get-unread'
import { inboxQuery } from './get-inbox'

const answerRemark = (id: number, body: RemarkAnswerIn): Promise<Remark> =>
  unwrap(api.POST('/api/v1/remarks/{remark_id}/answers', { params: { path: { remark_id: id } }, body }))

/** A remark stays where it is in the list while it is answered: nothing moves under the hand. */
function replaceRemark(queryClient: QueryClient, slug: string, changed: Remark): void {
  queryClient.setQueryData<InfiniteData<Page<Remark>, string | undefined>>(
    inboxQuery(slug).queryKey,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          results: page.results.map((row) => (row.id === changed.id ? changed : row)),
        })),
      },
  )
}

export function useAnswerRemark(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: RemarkAnswerIn & { id: number }) => answerRemark(id, body),
    onSuccess: (answered) => {
      replaceRemark(queryClient, slug, answered)
      return queryClient.invalidateQueries({ queryKey: unreadQuery(slug).queryKey })
    },
  })
}

/** Changes the person's own judgment under a remark. */
export function useReviseUnder(slug: string, remark: Remark) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (judgment: JudgmentIn) => reviseJudgment(remark.assignment, judgment),
    onSuccess: (revised) => {
      replaceRemark(queryClient, slug, { ...remark, item: { ...remark.item, ...revised } })
      return queryClient.invalidateQueries({ queryKey: ['project', slug, 'past-work'] })
    },
  })
}
