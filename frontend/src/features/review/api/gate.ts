import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { reviewKey } from './cases'

const getGate = (slug: string) => unwrap(api.GET('/api/v1/projects/{slug}/review/gate', { params: { path: { slug } } }))

const gateQuery = (slug: string) =>
  queryOptions({ queryKey: [...reviewKey(slug), 'gate'], queryFn: () => getGate(slug), refetchInterval: 60_000 })

/** New annotators who wait until somebody has looked at their first work. */
export function useGate(slug: string) {
  return useQuery(gateQuery(slug))
}

const release = (slug: string, user_id: number, text: string) =>
  unwrap(
    api.POST('/api/v1/projects/{slug}/review/gate/{user_id}/release', {
      params: { path: { slug, user_id } },
      body: { text },
    }),
  )

export function useRelease(slug: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ person, text }: { person: number; text: string }) => release(slug, person, text),
    onSettled: () => client.invalidateQueries({ queryKey: reviewKey(slug) }),
  })
}
