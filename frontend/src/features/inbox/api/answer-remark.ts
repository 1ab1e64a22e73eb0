import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { JudgmentIn, Page } from '@/lib/api/contract'
import type { Remark, RemarkAnswerIn, RemarkRow } from '@/lib/api/served'
import { unreadQuery } from '@/lib/feedback/get-unread'
import { reviseJudgment } from '@/lib/judging/revise-judgment'
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

/** Changes one of the person's own answers that a remark is about. */
export function useReviseUnder(slug: string, remark: Remark, row: RemarkRow) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (judgment: JudgmentIn) => reviseJudgment(row.assignment, judgment),
    onSuccess: (revised) => {
      const rows = remark.rows.map((each) => (each === row ? { ...row, item: { ...row.item, ...revised } } : each))
      replaceRemark(queryClient, slug, { ...remark, rows })
      return queryClient.invalidateQueries({ queryKey: ['project', slug, 'past-work'] })
    },
  })
}
