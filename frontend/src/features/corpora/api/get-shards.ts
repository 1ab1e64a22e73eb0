import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
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

/** Polled as long as one page is shown: of many, each would be asked for again every time. */
const shardsQuery = (corpusId: number, embedding: CorpusEmbedding, state: ShardState | undefined) =>
  infiniteQueryOptions({
    queryKey: ['corpus', corpusId, 'shards', embedding.run, state],
    queryFn: ({ pageParam }) => getShards(corpusId, embedding.run, state, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    refetchInterval: (query) => isLive(embedding) && (query.state.data?.pages.length ?? 0) <= 1 && quickMs,
    staleTime: 0,
    placeholderData: (earlier) => earlier,
  })

/** The shards of a run; when it ends or refuses another, all that is shown is read once more. */
export function useShards(corpusId: number, embedding: CorpusEmbedding, state?: ShardState) {
  const shards = useInfiniteQuery(shardsQuery(corpusId, embedding, state))
  const { refetch } = shards
  const stand = `${embedding.run} ${embedding.status} ${embedding.refused}`
  const read = useRef(stand)
  useEffect(() => {
    if (read.current === stand) return
    read.current = stand
    void refetch()
  }, [refetch, stand])
  return shards
}
