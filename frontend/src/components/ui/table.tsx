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
  return (
    <div className={styles.scroller}>
      <AriaTable
        aria-label={label}
        className={styles.table}
        {...(onRowAction && {
          onRowAction: (key) => {
            const item = rows.find((row) => rowId(row) === key)
            if (item !== undefined) onRowAction(item)
          },
        })}
      >
        <TableHeader>
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
        <TableBody renderEmptyState={() => empty ?? t.nothingYet}>
          {rows.map((item) => (
            <Row key={rowId(item)} id={rowId(item)} className={styles.row}>
              {columns.map((column) => (
                <Cell key={column.id} className={cx(styles.cell, column.isNumber && styles.number)}>
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
