import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { reviewKey } from './cases'
import type { ReviewSettings } from './shapes'

const getSettings = (slug: string): Promise<ReviewSettings> =>
  unwrap(api.GET('/api/v1/projects/{slug}/review/settings', { params: { path: { slug } } }))

const settingsQuery = (slug: string) =>
  queryOptions({ queryKey: [...reviewKey(slug), 'settings'], queryFn: () => getSettings(slug) })

/** What comes into the queue. */
export function useReviewSettings(slug: string) {
  return useQuery(settingsQuery(slug))
}

const changeSettings = (slug: string, body: Partial<ReviewSettings>): Promise<ReviewSettings> =>
  unwrap(api.PATCH('/api/v1/projects/{slug}/review/settings', { params: { path: { slug } }, body }))

/** The queue is filled by the new rules, so all of it is read again. */
export function useChangeSettings(slug: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Partial<ReviewSettings>) => changeSettings(slug, body),
    onSuccess: (saved) => {
      client.setQueryData(settingsQuery(slug).queryKey, saved)
      return client.invalidateQueries({ queryKey: reviewKey(slug) })
    },
  })
}
