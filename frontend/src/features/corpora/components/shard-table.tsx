import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import type { CorpusEmbedding, CorpusShard } from '@/lib/api/served'
import { formatBytes, formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/corpora'
import { type ShardState, useShards } from '../api/get-shards'
import { reasonWords } from '../state/embedding-looks'
import styles from './corpora-page.module.css'

export interface ShardTableProps {
  corpusId: number
  embedding: CorpusEmbedding
  /** Only shards in this state. */
  state?: ShardState
}

const words: Record<ShardState, string> = {
  pending: t.waiting,
  working: t.atWork,
  done: t.done,
  refused: t.refused,
}

const name: TableColumn<CorpusShard> = {
  id: 'name',
  title: t.shard,
  isRowHeader: true,
  cell: (shard) => (
    <bdi className={styles.name}>
      {shard.first > 0 ? t.fromRow({ name: shard.name, first: shard.first }) : shard.name}
    </bdi>
  ),
}

const why: TableColumn<CorpusShard> = {
  id: 'why',
  title: t.why,
  onPhone: 'under',
  cell: ({ error }) => <span className={styles.why}>{error?.message ?? '–'}</span>,
}

const refusedColumns = [name, why]
const columns: TableColumn<CorpusShard>[] = [
  name,
  { id: 'state', title: t.state, onPhone: 'beside', cell: ({ state }) => (state ? words[state] : '–') },
  { id: 'done', title: t.vectors, isNumber: true, onPhone: 'under', cell: ({ n_done }) => formatCount(n_done ?? 0) },
  {
    id: 'out',
    title: t.leftOut,
    isNumber: true,
    onPhone: 'under',
    cell: ({ n_skipped }) => formatCount(n_skipped ?? 0),
  },
  {
    id: 'why',
    title: t.why,
    onPhone: 'under',
    cell: (shard) => <span className={styles.why}>{reasonsOf(shard)}</span>,
  },
  { id: 'size', title: t.size, isNumber: true, onPhone: 'under', cell: ({ n_bytes }) => formatBytes(n_bytes) },
]

function reasonsOf({ dropped, error }: CorpusShard): string {
  if (error) return error.message
  const reasons = Object.entries(dropped ?? {}).map(([code, count]) => `${formatCount(count)} ${reasonWords(code)}`)
  return reasons.join(', ') || '–'
}

/** Shards of a corpus as one run left or finds them. */
export function ShardTable({ corpusId, embedding, state }: ShardTableProps) {
  const { data, error, isPending, refetch, ...pages } = useShards(corpusId, embedding, state)
  if (isPending) return <Skeleton label={t.theShards} />
  if (!data) return <ErrorState error={error} title={t.shardsNotShown} onRetry={() => void refetch()} />
  const isRefused = state === 'refused'
  return (
    <>
      <Table
        label={isRefused ? t.refusedShardsTitle : t.shards}
        columns={isRefused ? refusedColumns : columns}
        rows={data.pages.flatMap((page) => page.results)}
        rowId={(shard) => String(shard.position)}
      />
      <MoreButton {...pages}>{t.moreShards}</MoreButton>
    </>
  )
}
