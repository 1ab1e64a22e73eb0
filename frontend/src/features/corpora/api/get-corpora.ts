import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Corpus } from '@/lib/api/served'
import { isLive } from '../state/embedding-looks'

const quickMs = 1500
const calmMs = 20_000

const getCorpora = (slug: string): Promise<Corpus[]> =>
  unwrap(api.GET('/api/v1/projects/{slug}/corpora', { params: { path: { slug } } }))

const isAtWork = (corpora: readonly Corpus[] | undefined): boolean =>
  corpora?.some(({ embeddings }) => embeddings.some(isLive)) ?? false

/** Asked again quickly while a corpus is being embedded, and now and then for what somebody else starts. */
const corporaQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'corpora'],
    queryFn: () => getCorpora(slug),
    refetchInterval: ({ state }) => (isAtWork(state.data) ? quickMs : calmMs),
  })

export function useCorpora(slug: string) {
  return useQuery(corporaQuery(slug))
}
