import { type SortedColumn, SortedTable } from '@/components/sorted-table/sorted-table'
import type { PanelModel } from '@/lib/api/served'
import { formatCount, formatDecimal, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/difficulty'
import styles from './difficulty-page.module.css'

const roleOf = ({ is_in_panel: isInPanel, is_tie_breaker: breaksTies }: PanelModel): string =>
  breaksTies ? t.tie : isInPanel ? t.inPanel : t.extra

const columns: readonly SortedColumn<PanelModel>[] = [
  {
    id: 'model',
    title: t.model,
    value: ({ model }) => model,
    cell: ({ model, digest }) => <span title={digest}>{model}</span>,
  },
  { id: 'role', title: t.role, value: roleOf, cell: roleOf, onPhone: 'under' },
  {
    id: 'threshold',
    title: t.threshold,
    isNumber: true,
    value: ({ threshold }) => threshold,
    cell: ({ threshold }) => formatDecimal(threshold, 4),
    onPhone: 'beside',
  },
  {
    id: 'f1',
    title: t.f1,
    isNumber: true,
    value: ({ f1 }) => f1,
    cell: ({ f1 }) => (f1 === null ? '' : formatDecimal(f1, 3)),
    onPhone: 'under',
  },
  {
    id: 'batch',
    title: t.batchSize,
    isNumber: true,
    value: ({ batch_size: n }) => n,
    cell: ({ batch_size: n }) => n ?? '',
    onPhone: 'under',
  },
  {
    id: 'pairs',
    title: t.pairs,
    value: ({ pairs }) => pairs,
    cell: ({ pairs }) => pairs || t.unknown,
    onPhone: 'under',
  },
  { id: 'yes', title: t.saysYes, isNumber: true, value: ({ n_yes: n }) => n, cell: yesOf, onPhone: 'under' },
]

function yesOf({ n_yes: yes, n_scores: n }: PanelModel): string {
  return n === 0 ? '' : `${formatCount(yes)} (${formatShare(yes / n)})`
}

/** Every model with stored scores: its threshold, and what that was made from. */
export function ModelTable({ panel }: { panel: readonly PanelModel[] }) {
  return (
    <section className={styles.section} aria-labelledby="models">
      <h2 id="models" className={styles.title}>
        {t.models}
      </h2>
      <SortedTable
        label={t.models}
        csvName="models.csv"
        choiceName="models"
        columns={columns}
        rows={panel}
        rowId={({ position }) => String(position)}
      />
    </section>
  )
}
