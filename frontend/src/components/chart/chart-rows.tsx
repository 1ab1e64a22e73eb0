import type { MouseEvent } from 'react'
import { cx } from '../ui/cx'
import type { ChartColumn, ChartTable } from './chart-types'
import styles from './chart.module.css'

export interface ChartRowsProps<Row> {
  label: string
  table: ChartTable<Row>
  onOpen: (event: MouseEvent) => void
}

/** A chart's figures as a plain table. */
export function ChartRows<Row>({ label, table: { columns, rows }, onOpen }: ChartRowsProps<Row>) {
  const isNumber = (column: ChartColumn<Row>) => rows.some((row) => typeof column.value(row) === 'number')
  const numbers = columns.map(isNumber)
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className={styles.scroller} onClick={onOpen}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title }, place) => (
              <th key={title} scope="col" className={cx(numbers[place] && styles.number)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // The rows of a chart have no other name than their place.
            <tr key={index}>
              {columns.map((column, place) => (
                <td key={column.title} className={cx(numbers[place] && styles.number)}>
                  <Value column={column} row={row} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Value<Row>({ column, row }: { column: ChartColumn<Row>; row: Row }) {
  const value = column.value(row)
  const said = value === null ? '—' : typeof value === 'number' ? (column.format?.(value) ?? String(value)) : value
  const href = column.href?.(row)
  return href ? <a href={href}>{said}</a> : said
}
