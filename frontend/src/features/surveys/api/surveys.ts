import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { SurveyIn } from '@/lib/api/served'
import { useChange } from '@/lib/api/use-change'

const surveysKey = (slug: string) => ['project', slug, 'surveys'] as const
const surveyKey = (slug: string, id: number) => [...surveysKey(slug), id] as const
const place = (slug: string, id: number) => ({ params: { path: { slug, survey_id: id } } })

const surveysQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: [...surveysKey(slug), 'list'],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/surveys', {
          params: { path: { slug }, query: pageParam ? { cursor: pageParam } : {} },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

/** A project's surveys, newest first. */
export function useSurveys(slug: string) {
  return useInfiniteQuery(surveysQuery(slug))
}

/** The models by whose scores a survey can choose its pairs. */
export function useSurveyModels(slug: string) {
  return useQuery(
    queryOptions({
      queryKey: [...surveysKey(slug), 'models'],
      queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/surveys/models', { params: { path: { slug } } })),
    }),
  )
}

/** A few hard captions, of the kind that a survey asks about. */
export function useHardCaptions(slug: string) {
  return useQuery(
    queryOptions({
      queryKey: [...surveysKey(slug), 'hard captions'],
      queryFn: () =>
        unwrap(
          api.GET('/api/v1/projects/{slug}/difficulty/examples', {
            params: { path: { slug }, query: { category: 'hard', limit: 24 } },
          }),
        ),
    }),
  )
}

export function useSurvey(slug: string, id: number) {
  return useQuery(
    queryOptions({
      queryKey: [...surveyKey(slug, id), 'itself'],
      queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/surveys/{survey_id}', place(slug, id))),
    }),
  )
}

/** What a draft would ask if it were opened now. */
export function usePreview(slug: string, id: number) {
  return useQuery(
    queryOptions({
      queryKey: [...surveyKey(slug, id), 'preview'],
      queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/surveys/{survey_id}/preview', place(slug, id))),
    }),
  )
}

export function useResults(slug: string, id: number) {
  return useQuery(
    queryOptions({
      queryKey: [...surveyKey(slug, id), 'results'],
      queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/surveys/{survey_id}/results', place(slug, id))),
    }),
  )
}

const participantsQuery = (slug: string, id: number) =>
  infiniteQueryOptions({
    queryKey: [...surveyKey(slug, id), 'participants'],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/surveys/{survey_id}/participants', {
          params: { path: { slug, survey_id: id }, query: { limit: 100, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useParticipants(slug: string, id: number) {
  return useInfiniteQuery(participantsQuery(slug, id))
}

export const useCreateSurvey = (slug: string) =>
  useChange(surveysKey(slug), (body: SurveyIn) =>
    unwrap(api.POST('/api/v1/projects/{slug}/surveys', { params: { path: { slug } }, body })),
  )

export const useChangeSurvey = (slug: string, id: number) =>
  useChange(surveysKey(slug), (body: Partial<SurveyIn>) =>
    unwrap(api.PATCH('/api/v1/projects/{slug}/surveys/{survey_id}', { ...place(slug, id), body })),
  )

export const useOpenSurvey = (slug: string, id: number) =>
  useChange(surveysKey(slug), () =>
    unwrap(api.POST('/api/v1/projects/{slug}/surveys/{survey_id}/open', place(slug, id))),
  )

export const useCloseSurvey = (slug: string, id: number) =>
  useChange(surveysKey(slug), () =>
    unwrap(api.POST('/api/v1/projects/{slug}/surveys/{survey_id}/close', place(slug, id))),
  )

export const useRenewLink = (slug: string, id: number) =>
  useChange(surveysKey(slug), () =>
    unwrap(api.POST('/api/v1/projects/{slug}/surveys/{survey_id}/link', place(slug, id))),
  )

/** The answer alone carries the links. */
export const useMakeLinks = (slug: string, id: number) =>
  useChange(surveysKey(slug), (n: number) =>
    unwrap(api.POST('/api/v1/projects/{slug}/surveys/{survey_id}/links', { ...place(slug, id), body: { n } })),
  )

export function useDeleteSurvey(slug: string, id: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await api.DELETE('/api/v1/projects/{slug}/surveys/{survey_id}', place(slug, id))
    },
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: surveyKey(slug, id) })
      await queryClient.invalidateQueries({ queryKey: [...surveysKey(slug), 'list'] })
    },
  })
}
