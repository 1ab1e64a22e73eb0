import type { Cell, MeasuredRow, Published, PublishedRow } from '../api/shapes'

/** A row of the leaderboard: a model that was measured here, or figures that others published. */
export interface BoardRow {
  id: string
  model: string
  cells: Record<string, Cell>
  measured: MeasuredRow | null
  /** The table that published figures are from. */
  table: string
}

const none: Cell = {
  value: null,
  low: null,
  high: null,
  n: null,
  reason: null,
  contribution: null,
  difference: null,
}

export const ofMeasured = (row: MeasuredRow): BoardRow => ({
  id: row.id,
  model: row.model,
  cells: row.cells,
  measured: row,
  table: '',
})

export const ofPublished = (
  { model, table, cells }: PublishedRow,
  place: number,
  tables: Published['tables'],
): BoardRow => ({
  id: `published ${place}`,
  model,
  table: tables.find(({ id }) => id === table)?.name ?? '',
  measured: null,
  cells: Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [name, { ...none, value }]),
  ),
})
