import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import type { Refusal, Run } from '@/lib/api/served'
import { plural } from '@/lib/format/numbers'
import { useRefusals } from '../api/get-refusals'
import styles from './run-page.module.css'

interface NumberedRefusal extends Refusal {
  index: number
}

const columns: TableColumn<NumberedRefusal>[] = [
  { id: 'line', title: 'Line', isNumber: true, cell: ({ line }) => line ?? '–' },
  {
    id: 'name',
    title: 'Name',
    isRowHeader: true,
    cell: ({ name }) => <span className={styles.name}>{name || '–'}</span>,
  },
  { id: 'reason', title: 'Reason', cell: ({ message }) => <span className={styles.reason}>{message}</span> },
]

/** Every row an import did not take, with the line to look at and the reason. */
export function RefusalTable({ run }: { run: Run }) {
  const { data, error, isPending, refetch, ...pages } = useRefusals(run.id, run.n_refused)
  const rows = (data?.pages.flatMap((page) => page.results) ?? []).map((refusal, index) => ({ ...refusal, index }))
  return (
    <section className={styles.section}>
      <h2 className={styles.title}>{plural(run.n_refused, 'row')} refused</h2>
      {isPending && <Skeleton label="the refused rows" />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && <Table label="Refused rows" columns={columns} rows={rows} rowId={(row) => String(row.index)} />}
      <div className={styles.more}>
        <MoreButton {...pages}>Show more rows</MoreButton>
      </div>
    </section>
  )
}
