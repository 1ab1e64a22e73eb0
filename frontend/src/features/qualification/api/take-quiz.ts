import { useMutation } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Label } from '@/lib/api/contract'
import type { QuizAttempt } from '@/lib/api/served'
import { getMine } from './get-mine'

/** Begins an attempt, or goes on with the one that is not finished. */
const beginQuiz = (slug: string): Promise<QuizAttempt> =>
  unwrap(api.POST('/api/v1/projects/{slug}/qualification/quiz', { params: { path: { slug } } }))

export function useBeginQuiz(slug: string) {
  return useMutation({ mutationFn: () => beginQuiz(slug) })
}

/** The attempt as it stands after another tab went on with it; null when it is over. Never begins another one. */
async function rereadAttempt(slug: string, number: number): Promise<QuizAttempt | null> {
  const mine = await getMine(slug)
  if (mine.quiz.open_attempt !== number) return null
  const attempt = await beginQuiz(slug)
  return attempt.number === number ? attempt : null
}

export function useRereadAttempt(slug: string) {
  return useMutation({ mutationFn: (number: number) => rereadAttempt(slug, number) })
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
