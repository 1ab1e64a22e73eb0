import type { ReactNode } from 'react'
import { Cell, Column, Row, Table as AriaTable, TableBody, TableHeader } from 'react-aria-components'
import { t } from '@/messages/common'
import { cx } from './cx'
import styles from './table.module.css'

export interface TableColumn<Item> {
  id: string
  title: string
  /** Figures are right-aligned. */
  isNumber?: boolean
  isRowHeader?: boolean
  /** On a phone: beside the first column, or, with its title, in a small line under both. One that says so moves all. */
  onPhone?: 'beside' | 'under'
  cell: (item: Item) => ReactNode
}

export interface TableProps<Item> {
  label: string
  columns: readonly TableColumn<Item>[]
  rows: readonly Item[]
  rowId: (item: Item) => string
  onRowAction?: (item: Item) => void
  empty?: ReactNode
}

/** Dense but calm: 32 px rows, sticky header, arrows move between rows. */
export function Table<Item>({ label, columns, rows, rowId, onRowAction, empty }: TableProps<Item>) {
  const isStacked = columns.some(({ onPhone }) => onPhone)
  return (
    <div className={styles.scroller}>
      <AriaTable
        aria-label={label}
        className={cx(styles.table, isStacked && styles.stacked)}
        {...(onRowAction && {
          onRowAction: (key) => {
            const item = rows.find((row) => rowId(row) === key)
            if (item !== undefined) onRowAction(item)
          },
        })}
      >
        <TableHeader className={styles.header ?? ''}>
          {columns.map((column, index) => (
            <Column
              key={column.id}
              id={column.id}
              isRowHeader={column.isRowHeader ?? index === 0}
              className={cx(styles.head, column.isNumber && styles.number)}
            >
              {column.title}
            </Column>
          ))}
        </TableHeader>
        <TableBody className={styles.body ?? ''} renderEmptyState={() => empty ?? t.nothingYet}>
          {rows.map((item) => (
            <Row key={rowId(item)} id={rowId(item)} className={styles.row}>
              {columns.map((column) => (
                <Cell
                  key={column.id}
                  className={cx(
                    styles.cell,
                    column.isNumber && styles.number,
                    column.onPhone && styles[column.onPhone],
                  )}
                  data-title={column.onPhone && column.title}
                >
                  {column.cell(item)}
                </Cell>
              ))}
            </Row>
          ))}
        </TableBody>
      </AriaTable>
    </div>
  )
}
