import { SortedTable } from '@/components/sorted-table/sorted-table'
import { LabelBadge } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { useLabelLooks } from '@/components/ui/label-looks'
import type { Label } from '@/lib/api/contract'
import type { LabelTable } from '@/lib/api/figures'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import styles from './confusion-table.module.css'

export const labels: readonly Label[] = ['good', 'bad', 'unsure']

export interface LabelCell {
  row: Label
  column: Label
}

export interface ConfusionTableProps {
  /** "Answers of A against answers of B". */
  label: string
  rowName: string
  columnName: string
  counts: LabelTable
  chosen?: LabelCell | null
  /** Makes each cell a button that is chosen, or not any more. */
  onChoose?: (cell: LabelCell | null) => void
}

/** How often one said this and the other that: the diagonal is where they agree. */
export function ConfusionTable({ label, rowName, columnName, counts, chosen, onChoose }: ConfusionTableProps) {
  const looks = useLabelLooks()
  const total = counts.flat().reduce((sum, n) => sum + n, 0)
  const most = Math.max(1, ...counts.flat())
  const countOf = (row: Label, column: Label) => counts[labels.indexOf(row)]?.[labels.indexOf(column)] ?? 0
  const inWords = (row: Label, column: Label) =>
    t.cellOf({ row: looks[row].word, column: looks[column].word, rowName, columnName })
  const cellOf = (row: Label, column: Label) => {
    const n = countOf(row, column)
    const isChosen = chosen?.row === row && chosen.column === column
    const shown = (
      <>
        <b>{formatCount(n)}</b> <small>{total > 0 && formatShare(n / total)}</small>
        <span
          aria-hidden="true"
          className={cx(styles.bar, row === column && styles.agrees)}
          style={{ inlineSize: `${(n / most) * 100}%` }}
        />
      </>
    )
    if (!onChoose) return <span className={styles.cell}>{shown}</span>
    return (
      <button
        type="button"
        className={cx(styles.cell, isChosen && styles.chosen)}
        aria-pressed={isChosen}
        onClick={() => onChoose(isChosen ? null : { row, column })}
      >
        <span className="visually-hidden">{inWords(row, column)}</span> {shown}
      </button>
    )
  }
  return (
    <div className={styles.whole}>
      <SortedTable<Label>
        label={label}
        csvName="answers.csv"
        isOrderFixed
        rows={labels}
        rowId={(row) => row}
        columns={[
          {
            id: 'row',
            title: rowName,
            value: (row) => looks[row].word,
            cell: (row) => <LabelBadge label={row} />,
          },
          ...labels.map((column) => ({
            id: `other-${column}`,
            title: `${columnName}: ${looks[column].word}`,
            head: (
              <span className={styles.head}>
                <small>{columnName}</small>
                <LabelBadge label={column} />
              </span>
            ),
            isNumber: true,
            value: (row: Label) => countOf(row, column),
            cell: (row: Label) => cellOf(row, column),
          })),
        ]}
      />
    </div>
  )
}
