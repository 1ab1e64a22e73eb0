import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { type TableColumn, Table } from '@/components/ui/table'
import { WhatComes } from '@/components/ui/what-comes'
import { formatDecimal, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/review'
import { useHeads } from '../api/heads'
import type { HeadPair, Person } from '../api/shapes'
import styles from './panels.module.css'
import type { Change } from './queue-view'

const shownName = ({ display_name, username }: Person): string => display_name || username

const columns: readonly TableColumn<HeadPair>[] = [
  { id: 'first', title: t.first, cell: ({ first }) => shownName(first) },
  { id: 'second', title: t.second, cell: ({ second }) => shownName(second) },
  {
    id: 'kappa',
    title: t.kappa,
    isNumber: true,
    onPhone: 'under',
    cell: ({ value }) => (value === null ? t.none : formatDecimal(value, 2)),
  },
  { id: 'interval', title: t.interval, isNumber: true, onPhone: 'under', cell: intervalOf },
  { id: 'n', title: t.nCaptions, isNumber: true, onPhone: 'under', cell: ({ n_items }) => n_items },
]

function intervalOf({ interval }: HeadPair): string {
  const { low = null, high = null } = interval ?? {}
  return low === null || high === null ? t.none : `${formatDecimal(low, 2)} – ${formatDecimal(high, 2)}`
}

/** How far head annotators agree with each other, by second looks that hide the first decision. */
export function HeadsView({ slug, onSearch }: { slug: string; onSearch: Change }) {
  const { data, error, isPending, refetch } = useHeads(slug)
  if (isPending) return <Skeleton label={t.heads} rows={3} />
  if (error) return <ErrorState error={error} title={t.headsNotShown} onRetry={() => void refetch()} />
  const { agree } = data.second_looks
  if (!agree?.n) {
    return (
      <section className={styles.view} aria-label={t.heads}>
        <WhatComes
          title={t.noSecondLooks}
          lead={t.noSecondLooksWords}
          things={[
            { icon: 'search', title: t.secondDraw, words: t.secondDrawWords },
            { icon: 'person', title: t.secondBlind, words: t.secondBlindWords },
            { icon: 'check', title: t.sameDecision, words: t.sameDecisionWords },
          ]}
          action={
            <Button variant="primary" onPress={() => onSearch({ view: 'rules' })}>
              {t.readRules}
            </Button>
          }
        />
      </section>
    )
  }
  return (
    <section className={styles.view} aria-label={t.heads}>
      <p className={styles.figure}>
        <b>{formatShare(agree.share)}</b>
        <span>{t.sameDecision}</span>
        <small>
          {t.sameDecisionOf({ k: agree.k, n: agree.n, low: formatShare(agree.low), high: formatShare(agree.high) })}
        </small>
      </p>
      <Table
        label={t.headPairs}
        columns={columns}
        rows={data.pairs}
        rowId={({ first, second }) => `${first.id} ${second.id}`}
      />
    </section>
  )
}
