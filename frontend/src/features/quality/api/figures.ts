/** Figures of agreement and of people, which a worker calculates. */
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Label } from '@/lib/api/contract'
import { cursorOf } from '@/lib/api/cursor'

const key = (slug: string, ...rest: unknown[]) => ['project', slug, 'quality', ...rest] as const

export const headlineQuery = (slug: string) =>
  queryOptions({
    queryKey: key(slug, 'headline'),
    queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/agreement/headline', { params: { path: { slug } } })),
  })

/** The one figure of agreement, and its value day by day. */
export const useHeadline = (slug: string) => useQuery(headlineQuery(slug))

/** Which two people most often give which two answers to one pair. */
export const useConfusions = (slug: string) =>
  useQuery({
    queryKey: key(slug, 'confusions'),
    queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/agreement/confusions', { params: { path: { slug } } })),
  })

export interface PairCell {
  first?: Label | undefined
  second?: Label | undefined
}

const queryOf = ({ first, second }: PairCell, cursor: string | undefined) => ({
  ...(first && { first_label: first }),
  ...(second && { second_label: second }),
  ...(cursor && { cursor }),
})

/** What two people said of the pairs they share; narrowed to one cell of their table. */
export const useSharedPairs = (slug: string, first: number, second: number, cell: PairCell) =>
  useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: key(slug, 'shared', first, second, cell),
      queryFn: ({ pageParam }) =>
        unwrap(
          api.GET('/api/v1/projects/{slug}/agreement/pairs/{first}/{second}', {
            params: { path: { slug, first, second }, query: queryOf(cell, pageParam) },
          }),
        ),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ items }) => cursorOf(items.next),
      placeholderData: (before) => before,
    }),
  )

/** One person's figures with the consensus of the others, habits, and days. */
export const usePersonFigures = (slug: string, id: number) =>
  useQuery({
    queryKey: key(slug, 'person', id),
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/agreement/annotators/{user_id}', { params: { path: { slug, user_id: id } } }),
      ),
  })

/** What head annotators decided of everybody's tasks. */
export const useReviewedPages = (slug: string) =>
  useQuery({
    queryKey: key(slug, 'reviewed'),
    queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/review/pages/summary', { params: { path: { slug } } })),
  })

/** One person's agreement with the head before and after feedback. */
export const useFeedbackEffect = (slug: string, annotator: number) =>
  useQuery({
    queryKey: key(slug, 'effect', annotator),
    queryFn: () =>
      unwrap(api.GET('/api/v1/projects/{slug}/feedback/effect', { params: { path: { slug }, query: { annotator } } })),
  })

/** How everybody works: the course over days, and what each kind of rule measures. */
export const useHabits = (slug: string) =>
  useQuery({
    queryKey: key(slug, 'habits'),
    queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/agreement/habits', { params: { path: { slug } } })),
  })
