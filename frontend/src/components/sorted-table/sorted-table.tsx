import { type ReactNode, useState } from 'react'
import { asCsv, save } from '@/components/chart/chart-files'
import { Button } from '@/components/ui/button'
import { Table, type TableColumn, type TableProps, type TableSort } from '@/components/ui/table'
import { t } from '@/messages/chart'
import { type SortValue, sortRows } from './sort-rows'
import styles from './sorted-table.module.css'

export interface SortedColumn<Item> extends TableColumn<Item> {
  /** What the column sorts by, and what the file has. A column without it does neither. */
  value?: (item: Item) => SortValue
}

export interface SortedTableProps<Item> extends Omit<TableProps<Item>, 'columns' | 'onSort'> {
  columns: readonly SortedColumn<Item>[]
  /** The name of the CSV file; no file without it. */
  csvName?: string
  /** Where the address of the page has the order. Otherwise the table keeps it. */
  onSort?: (sort: TableSort) => void
  /** The order of the rows has a meaning: no title sorts. */
  isOrderFixed?: boolean
  /** Beside the button of the file. */
  children?: ReactNode
}

/** A table with all its rows here: a press on a title sorts, numbers from the largest, and one button saves a CSV. */
export function SortedTable<Item>(props: SortedTableProps<Item>) {
  const { columns, rows, csvName, onSort, sort: given, isOrderFixed = false, children, ...rest } = props
  const [own, setOwn] = useState(given)
  const sort = onSort ? given : own
  const column = columns.find(({ id }) => id === sort?.column)
  const shown = sort && column?.value ? sortRows(rows, column.value, sort.isDescending) : rows
  return (
    <div className={styles.whole}>
      {(csvName ?? children) && (
        <div className={styles.above}>
          {children}
          {csvName && (
            <Button
              size="small"
              variant="quiet"
              icon="download"
              className={styles.file}
              onPress={() => save(asCsv(fileOf(columns, shown)), 'text/csv;charset=utf-8', csvName)}
            >
              {t.csv}
            </Button>
          )}
        </div>
      )}
      <Table<Item>
        {...rest}
        columns={columns.map((each) => ({
          ...each,
          ...(each.value && !isOrderFixed && { sorts: each.sorts ?? (each.isNumber ? 'descending' : 'ascending') }),
        }))}
        rows={shown}
        sort={sort}
        onSort={onSort ?? setOwn}
      />
    </div>
  )
}

function fileOf<Item>(columns: readonly SortedColumn<Item>[], rows: readonly Item[]) {
  return {
    columns: columns.flatMap(({ title, value }) =>
      value ? [{ title, value: (row: Item) => value(row) ?? null }] : [],
    ),
    rows,
  }
}
