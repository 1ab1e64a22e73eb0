import { Badge } from '@/components/ui/badge'
import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import type { Refusal, Run } from '@/lib/api/served'
import { inOurLanguage } from '@/lib/language/catalogue'
import { t } from '@/messages/runs'
import { useRefusals } from '../api/get-refusals'
import { countIgnored } from '../state/run-counts'
import styles from './run-page.module.css'

interface NumberedRefusal extends Refusal {
  index: number
}

const columns: TableColumn<NumberedRefusal>[] = [
  { id: 'line', title: t.line, isNumber: true, onPhone: 'under', cell: ({ line }) => line ?? '–' },
  {
    id: 'name',
    title: t.name,
    isRowHeader: true,
    cell: ({ name }) => <span className={styles.name}>{name || '–'}</span>,
  },
  {
    id: 'reason',
    title: t.reason,
    onPhone: 'under',
    cell: ({ code, params, message, is_ignored: isIgnored }) => (
      <span className={styles.reason}>
        {isIgnored && (
          <>
            <Badge>{t.ignored}</Badge>{' '}
          </>
        )}
        {inOurLanguage(code, params, message)}
      </span>
    ),
  },
]

/** Every row and file that an import did not take, with the line to look at and the reason. */
export function RefusalTable({ run }: { run: Run }) {
  const { data, error, isPending, refetch, ...pages } = useRefusals(run.id, run.n_refused + countIgnored(run))
  const rows = (data?.pages.flatMap((page) => page.results) ?? []).map((refusal, index) => ({ ...refusal, index }))
  return (
    <section>
      <h2 className={styles.title}>
        {run.n_refused > 0 ? t.rowsRefused({ nRefused: run.n_refused }) : t.filesIgnored({ n: countIgnored(run) })}
      </h2>
      {isPending && <Skeleton label={t.theRefusedRows} />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && <Table label={t.refusedRowsTitle} columns={columns} rows={rows} rowId={(row) => String(row.index)} />}
      <div className={styles.more}>
        <MoreButton {...pages}>{t.moreRows}</MoreButton>
      </div>
    </section>
  )
}
