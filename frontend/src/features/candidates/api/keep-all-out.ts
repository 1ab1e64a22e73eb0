import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

export interface KeepAllOut {
  min_cosine: number
  /** How many the person saw: with another number nothing is decided. */
  expected: number
}

/** Keeps out every open suspect that looks at least so much alike. */
export function useKeepAllOut(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: KeepAllOut) =>
      unwrap(api.POST('/api/v1/projects/{slug}/suspects/keep-out', { params: { path: { slug } }, body })),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['project', slug, 'suspect-counts'] }),
        queryClient.invalidateQueries({ queryKey: ['project', slug, 'suspects'] }),
      ]),
  })
}
