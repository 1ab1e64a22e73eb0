import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { components } from '@/lib/api/schema'
import type { Corpus } from '@/lib/api/served'

export type NewCorpus = components['schemas']['CorpusInRequest']

const registerCorpus = (slug: string, body: NewCorpus): Promise<Corpus> =>
  unwrap(api.POST('/api/v1/projects/{slug}/corpora', { params: { path: { slug } }, body }))

/** The walk knows of corpora too: what waits for the first one can start. */
export function useRegisterCorpus(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (corpus: NewCorpus) => registerCorpus(slug, corpus),
    onSuccess: async () => {
      void queryClient.invalidateQueries({ queryKey: ['project', slug, 'walk'] })
      await queryClient.invalidateQueries({ queryKey: ['project', slug, 'corpora'] })
    },
  })
}
