import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { nAnswers } from '@/components/feedback-effect/effect-words'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const getEffect = (slug: string, annotator: number | null, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/feedback/effect', {
      params: {
        path: { slug },
        query: { n: nAnswers, ...(annotator !== null && { annotator }), ...(cursor && { cursor }) },
      },
    }),
  )

/** The answers of each person before and after feedback of each kind; of one person only, if given. */
export function useEffectOfFeedback(slug: string, annotator: number | null) {
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['project', slug, 'feedback', 'effect', annotator],
      queryFn: ({ pageParam }) => getEffect(slug, annotator, pageParam),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => cursorOf(page.next),
    }),
  )
}
