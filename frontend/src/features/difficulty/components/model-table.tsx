import { Table, type TableColumn } from '@/components/ui/table'
import type { PanelModel } from '@/lib/api/served'
import { formatCount, formatDecimal, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/difficulty'
import styles from './difficulty-page.module.css'

const roleOf = ({ is_in_panel: isInPanel, is_tie_breaker: breaksTies }: PanelModel): string =>
  breaksTies ? t.tie : isInPanel ? t.inPanel : t.extra

const columns: readonly TableColumn<PanelModel>[] = [
  { id: 'model', title: t.model, cell: ({ model, digest }) => <span title={digest}>{model}</span> },
  { id: 'role', title: t.role, cell: roleOf, onPhone: 'under' },
  {
    id: 'threshold',
    title: t.threshold,
    isNumber: true,
    cell: ({ threshold }) => formatDecimal(threshold, 4),
    onPhone: 'beside',
  },
  {
    id: 'f1',
    title: t.f1,
    isNumber: true,
    cell: ({ f1 }) => (f1 === null ? '' : formatDecimal(f1, 3)),
    onPhone: 'under',
  },
  { id: 'batch', title: t.batchSize, isNumber: true, cell: ({ batch_size: n }) => n ?? '', onPhone: 'under' },
  { id: 'pairs', title: t.pairs, cell: ({ pairs }) => pairs || t.unknown, onPhone: 'under' },
  { id: 'yes', title: t.saysYes, isNumber: true, cell: yesOf, onPhone: 'under' },
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
      <Table label={t.models} columns={columns} rows={panel} rowId={({ position }) => String(position)} />
    </section>
  )
}
