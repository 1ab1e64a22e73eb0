import { useMutation } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Label } from '@/lib/api/contract'
import type { QuizAttempt } from '@/lib/api/served'

/** Begins an attempt, or goes on with the one that is not finished. */
const beginQuiz = (slug: string): Promise<QuizAttempt> =>
  unwrap(api.POST('/api/v1/projects/{slug}/qualification/quiz', { params: { path: { slug } } }))

export function useBeginQuiz(slug: string) {
  return useMutation({ mutationFn: () => beginQuiz(slug) })
}

export interface QuizAnswer {
  number: number
  position: number
  label: Label
}

const answerQuiz = (slug: string, { number, ...answer }: QuizAnswer): Promise<QuizAttempt> =>
  unwrap(
    api.POST('/api/v1/projects/{slug}/qualification/quiz/{number}/answers', {
      params: { path: { slug, number } },
      body: { answers: [answer] },
    }),
  )

export function useAnswerQuiz(slug: string) {
  return useMutation({ mutationFn: (answer: QuizAnswer) => answerQuiz(slug, answer) })
}
