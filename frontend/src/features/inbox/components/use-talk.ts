import { useState } from 'react'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Remark, RemarkAnswerIn } from '@/lib/api/served'
import { useAnswerRemark } from '../api/answer-remark'

/** Answering a remark, and which of them has its reply field open. */
export function useTalk(slug: string) {
  const [talking, setTalking] = useState<number | null>(null)
  const { mutate } = useAnswerRemark(slug)
  const answer = ({ id }: Remark, said: RemarkAnswerIn, onSuccess?: () => void) =>
    mutate(
      { id, ...said },
      { ...(onSuccess && { onSuccess }), onError: (failure) => showToast(asApiError(failure).message, 'bad') },
    )
  const of = (remark: Remark) => ({
    isTalking: talking === remark.id,
    onAnswer: (said: 'acknowledge' | 'agree') => answer(remark, { answer: said, text: '' }),
    onTalk: (isOpen: boolean) => setTalking(isOpen ? remark.id : null),
    onSend: (text: string) => answer(remark, { answer: 'talk', text }, () => setTalking(null)),
  })
  return { of }
}

export type Talk = ReturnType<typeof useTalk>
