export const english = {
  asTable: 'Show as a table',
  exportTitled: 'Export “{title}”',
  columns: 'Columns',
  allRows: 'Show all {n} rows',
  csv: 'Download as CSV',
  notDrawn: 'The chart could not be loaded. The table has the same figures.',
  notSaved: 'The file could not be made. Try another format.',
} as const
