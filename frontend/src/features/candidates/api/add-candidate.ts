import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Candidate } from '@/lib/api/served'
import { forgetCounts } from './decide-candidate'

const addCandidate = (slug: string, imageId: number, text: string): Promise<Candidate> =>
  unwrap(
    api.POST('/api/v1/projects/{slug}/images/{image_id}/candidates', {
      params: { path: { slug, image_id: imageId } },
      body: { text },
    }),
  )

export function useAddCandidate(slug: string, imageId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (text: string) => addCandidate(slug, imageId, text),
    onSuccess: async () => {
      forgetCounts(queryClient, slug)
      await queryClient.invalidateQueries({ queryKey: ['project', slug, 'pool', imageId] })
    },
  })
}
