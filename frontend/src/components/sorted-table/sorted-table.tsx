import { type ReactNode, useState } from 'react'
import { asCsv, save } from '@/components/chart/chart-files'
import { Button } from '@/components/ui/button'
import { Table, type TableColumn, type TableProps, type TableSort } from '@/components/ui/table'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/chart'
import { useColumns } from './column-choice'
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
  /** Lets the person choose the columns, which this browser remembers under this name. */
  choiceName?: string
  /** The number of rows at first; a button shows the others. */
  nFirst?: number
  /** The order of the rows has a meaning: no title sorts. */
  isOrderFixed?: boolean
  /** Beside the button of the file. */
  children?: ReactNode
}

/** A table with all its rows here: a press on a title sorts, numbers from the largest, and one button saves a CSV. */
export function SortedTable<Item>(props: SortedTableProps<Item>) {
  const { columns, rows, csvName, choiceName, nFirst, onSort, sort: given, isOrderFixed = false, children, ...rest } = props
  const { shown: columnsShown, menu } = useColumns(choiceName, columns)
  const [isWhole, setWhole] = useState(false)
  const [own, setOwn] = useState(given)
  const sort = onSort ? given : own
  const column = columns.find(({ id }) => id === sort?.column)
  const sorted = sort && column?.value ? sortRows(rows, column.value, sort.isDescending) : rows
  const shown = isWhole ? sorted : sorted.slice(0, nFirst)
  return (
    <div className={styles.whole}>
      {(csvName ?? choiceName ?? children) && (
        <div className={styles.above}>
          {children}
          <span className={styles.tools}>
            {menu}
            {csvName && (
              <Button
                size="small"
                variant="quiet"
                icon="download"
                onPress={() => save(asCsv(fileOf(columns, sorted)), 'text/csv;charset=utf-8', csvName)}
              >
                {t.csv}
              </Button>
            )}
          </span>
        </div>
      )}
      <Table<Item>
        {...rest}
        key={columnsShown.map(({ id }) => id).join(' ')}
        columns={columnsShown.map((each) => ({
          ...each,
          ...(each.value && !isOrderFixed && { sorts: each.sorts ?? (each.isNumber ? 'descending' : 'ascending') }),
        }))}
        rows={shown}
        sort={sort}
        onSort={onSort ?? setOwn}
      />
      {shown.length < sorted.length && (
        <div>
          <Button size="small" onPress={() => setWhole(true)}>
            {t.allRows({ n: formatCount(sorted.length) })}
          </Button>
        </div>
      )}
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
