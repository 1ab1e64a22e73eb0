import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

export interface Asked {
  first: string
  second: string
  images: number
  model: string
  clip: string
  bertscore: string
}

/** Starts the stage that makes a report. */
export function useStartReport(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (asked: Asked) =>
      unwrap(
        api.POST('/api/v1/projects/{slug}/runs', {
          params: { path: { slug } },
          body: { stage: 'diversity', parameters: { ...asked }, seed: 0 },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['project', slug, 'diversity'] }),
  })
}
