import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { JudgmentIn } from '@/lib/api/contract'
import { reviseJudgment } from '@/lib/judging/revise-judgment'

/** Another word on one item; the page and the list are read anew, and so is what was closed meanwhile. */
export function useRevise(slug: string, assignmentId: string) {
  const queryClient = useQueryClient()
  const renew = () => queryClient.invalidateQueries({ queryKey: ['project', slug, 'past-work'] })
  return useMutation({
    mutationFn: (judgment: JudgmentIn) => reviseJudgment(assignmentId, judgment),
    onSettled: renew,
  })
}
