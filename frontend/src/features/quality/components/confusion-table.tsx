import { Fragment } from 'react'
import { LabelBadge, labelLooks } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
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
  const total = counts.flat().reduce((sum, n) => sum + n, 0)
  const most = Math.max(1, ...counts.flat())
  return (
    <div className={styles.scroller}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            <td />
            <th scope="colgroup" colSpan={3} className={styles.axis}>
              {columnName}
            </th>
          </tr>
          <tr>
            <th scope="col" className={styles.axis}>
              {rowName}
            </th>
            {labels.map((column) => (
              <th key={column} scope="col">
                <LabelBadge label={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((row, place) => (
            <tr key={row}>
              <th scope="row">
                <LabelBadge label={row} />
              </th>
              {labels.map((column, at) => {
                const n = counts[place]?.[at] ?? 0
                const isChosen = chosen?.row === row && chosen.column === column
                const shown = (
                  <Fragment>
                    <b>{formatCount(n)}</b> <small>{total > 0 && formatShare(n / total)}</small>
                    <span
                      aria-hidden="true"
                      className={cx(styles.bar, row === column && styles.agrees)}
                      style={{ inlineSize: `${(n / most) * 100}%` }}
                    />
                  </Fragment>
                )
                return (
                  <td key={column}>
                    {onChoose ? (
                      <button
                        type="button"
                        className={cx(styles.cell, isChosen && styles.chosen)}
                        aria-pressed={isChosen}
                        onClick={() => onChoose(isChosen ? null : { row, column })}
                      >
                        <span className="visually-hidden">
                          {t.cellOf({
                            row: labelLooks[row].word,
                            column: labelLooks[column].word,
                            rowName,
                            columnName,
                          })}
                        </span>{' '}
                        {shown}
                      </button>
                    ) : (
                      <span className={styles.cell}>{shown}</span>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
