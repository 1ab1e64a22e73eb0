import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { components } from '@/lib/api/schema'
import type { Run } from '@/lib/api/served'

export type StartRun = components['schemas']['RunInRequest']

export const startRun = (slug: string, body: StartRun): Promise<Run> =>
  unwrap(api.POST('/api/v1/projects/{slug}/runs', { params: { path: { slug } }, body }))

/** Whatever the answer, the walk is read again: a 409 means that it changed. So are the corpora, which tell of it. */
export function useStartRun(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (start: StartRun) => startRun(slug, start),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['project', slug, 'corpora'] })
      return queryClient.invalidateQueries({ queryKey: ['project', slug, 'walk'] })
    },
  })
}
