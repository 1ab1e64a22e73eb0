import { memo } from 'react'
import { Table, type TableColumn } from '@/components/ui/table'
import type { PolysemyPoint, PolysemyReport } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/polysemy'
import styles from './curve-table.module.css'
import { Decimal } from './decimal'

type Row = PolysemyPoint & { corpus: string }

/** Every number of the report, as in its CSV; not drawn again for each radius that the pointer passes. */
export const CurveTable = memo(function CurveTable({ report }: { report: PolysemyReport }) {
  const rows = report.corpora.flatMap(({ corpus, points }) => points.map((point): Row => ({ corpus, ...point })))
  return <Table label={t.allValues} columns={columns} rows={rows} rowId={(row) => `${row.corpus} ${row.radius}`} />
})

const columns: readonly TableColumn<Row>[] = [
  {
    id: 'corpus',
    title: t.corpus,
    isRowHeader: true,
    cell: ({ corpus }) => <span className={styles.corpus}>{corpus}</span>,
  },
  { id: 'radius', title: t.radius, isNumber: true, onPhone: 'under', cell: ({ radius }) => formatCount(radius) },
  {
    id: 'image',
    title: t.imageSimilarity,
    isNumber: true,
    onPhone: 'under',
    cell: (row) => <Decimal value={row.image_similarity} />,
  },
  {
    id: 'cluster',
    title: t.withinCluster,
    isNumber: true,
    onPhone: 'under',
    cell: (row) => <Decimal value={row.in_cluster_similarity} />,
  },
  {
    id: 'distance',
    title: t.geodesic,
    isNumber: true,
    onPhone: 'under',
    cell: (row) => <Decimal value={row.geodesic_distance} />,
  },
  { id: 'queries', title: t.queries, isNumber: true, onPhone: 'under', cell: (row) => formatCount(row.n_queries) },
  {
    id: 'said',
    title: t.withCaptions,
    isNumber: true,
    onPhone: 'under',
    cell: (row) => formatCount(row.n_queries_with_captions),
  },
  { id: 'captions', title: t.captions, isNumber: true, onPhone: 'under', cell: (row) => formatCount(row.n_captions) },
  { id: 'short', title: t.tooFew, isNumber: true, onPhone: 'under', cell: (row) => formatCount(row.n_short) },
]
