import type { PlotOptions } from '@observablehq/plot'
import type * as library from './library'

export type PlotLibrary = typeof library

/** What to draw, for a given width in pixels. Colours are tokens: `fill: 'var(--curve-1)'`. */
export type ChartSpec = (plot: PlotLibrary, width: number) => PlotOptions

export interface ChartColumn<Row> {
  title: string
  value: (row: Row) => string | number | null
  /** How a number is written on the page; the CSV has it as it is. */
  format?: (value: number) => string
  /** The page that shows where the value comes from. */
  href?: (row: Row) => string | null
}

/** The same figures as the drawing, for eyes, screen readers and spreadsheets. */
export interface ChartTable<Row> {
  columns: readonly ChartColumn<Row>[]
  rows: readonly Row[]
}
