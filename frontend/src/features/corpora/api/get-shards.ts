import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { CorpusEmbedding, CorpusShard } from '@/lib/api/served'
import { isLive } from '../state/embedding-looks'

const pageSize = 50
const quickMs = 1500

export type ShardState = NonNullable<CorpusShard['state']>

const getShards = (corpusId: number, run: string, state: ShardState | undefined, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/corpora/{corpus_id}/shards', {
      params: {
        path: { corpus_id: corpusId },
        query: { limit: pageSize, run, ...(state && { state }), ...(cursor && { cursor }) },
      },
    }),
  )

/** A run's status is part of the key: when it ends, everything is read once more. */
const shardsQuery = (corpusId: number, embedding: CorpusEmbedding, state: ShardState | undefined) =>
  infiniteQueryOptions({
    queryKey: ['corpus', corpusId, 'shards', embedding.run, state, embedding.status, embedding.refused],
    queryFn: ({ pageParam }) => getShards(corpusId, embedding.run, state, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    refetchInterval: isLive(embedding) ? quickMs : false,
    placeholderData: (earlier) => earlier,
  })

export function useShards(corpusId: number, embedding: CorpusEmbedding, state?: ShardState) {
  return useInfiniteQuery(shardsQuery(corpusId, embedding, state))
}
