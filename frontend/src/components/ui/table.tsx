import type { ReactNode } from 'react'
import { Cell, Column, Row, Table as AriaTable, TableBody, TableHeader } from 'react-aria-components'
import { t } from '@/messages/common'
import { cx } from './cx'
import { Icon } from './icon'
import styles from './table.module.css'

export interface TableColumn<Item> {
  id: string
  title: string
  /** In the header instead of the title. */
  head?: ReactNode
  /** The title is only for screen readers: what is in the cells says enough. */
  isTitleHidden?: boolean
  /** Figures are right-aligned. */
  isNumber?: boolean
  isRowHeader?: boolean
  /** On a phone: beside the first column, or, with its title, in a small line under both. One that says so moves all. */
  onPhone?: 'beside' | 'under'
  /** A press on its title sorts by it; `descending` where the largest come first. */
  sorts?: 'ascending' | 'descending'
  cell: (item: Item) => ReactNode
}

export interface TableProps<Item> {
  label: string
  columns: readonly TableColumn<Item>[]
  rows: readonly Item[]
  rowId: (item: Item) => string
  onRowAction?: (item: Item) => void
  /** The row that is shown beside the table. */
  currentId?: string | undefined
  empty?: ReactNode
  /** Scrolls inside the window, under its own header. */
  isTall?: boolean
  sort?: TableSort | undefined
  onSort?: (sort: TableSort) => void
}

export interface TableSort {
  column: string
  isDescending: boolean
}

/** Dense but calm: 32 px rows, sticky header, arrows move between rows. */
export function Table<Item>(props: TableProps<Item>) {
  const { label, columns, rows, rowId, onRowAction, currentId, empty, isTall = false, sort, onSort } = props
  const isStacked = columns.some(({ onPhone }) => onPhone)
  return (
    <div className={cx(styles.scroller, isTall && styles.tall)}>
      <AriaTable
        aria-label={label}
        className={cx(styles.table, isStacked && styles.stacked)}
        {...(sort && {
          sortDescriptor: { column: sort.column, direction: sort.isDescending ? 'descending' : 'ascending' },
        })}
        onSortChange={({ column }) => {
          const pressed = columns.find(({ id }) => id === column)
          if (pressed) onSort?.(nextSort(pressed, sort))
        }}
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
              allowsSorting={column.sorts !== undefined}
              className={cx(styles.head, column.isNumber && styles.number, column.sorts && styles.sorts)}
            >
              {column.isTitleHidden ? <span className="visually-hidden">{column.title}</span> : (column.head ?? column.title)}
              {sort?.column === column.id && (
                <Icon name={sort.isDescending ? 'chevronDown' : 'chevronUp'} size={14} className={styles.arrow} />
              )}
            </Column>
          ))}
        </TableHeader>
        <TableBody className={styles.body ?? ''} renderEmptyState={() => empty ?? t.nothingYet}>
          {rows.map((item) => (
            <Row
              key={rowId(item)}
              id={rowId(item)}
              className={cx(styles.row, onRowAction && styles.opens, rowId(item) === currentId && styles.current)}
            >
              {columns.map((column) => (
                <Cell
                  key={column.id}
                  className={cx(
                    styles.cell,
                    column.isNumber && styles.number,
                    column.onPhone && styles[column.onPhone],
                  )}
                  data-title={column.onPhone && !column.isTitleHidden ? column.title : undefined}
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

/** The column's own way first, the other way when it is pressed again. */
function nextSort<Item>({ id, sorts }: TableColumn<Item>, sort: TableSort | undefined): TableSort {
  const isDescending = sort?.column === id ? !sort.isDescending : sorts === 'descending'
  return { column: id, isDescending }
}
