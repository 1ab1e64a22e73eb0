import { Table } from '@/components/ui/table'
import type { SourceCounts } from '@/lib/api/served'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { sourceName } from '../state/rule-words'
import styles from './funnel-page.module.css'

/** How many captions each source brought and how many of them are kept. */
export function SourceTable({ sources }: { sources: readonly SourceCounts[] }) {
  return (
    <>
      <h2 className={styles.title}>By source</h2>
      <Table
        label="Captions by source"
        rows={sources}
        rowId={(source) => source.source}
        columns={[
          { id: 'source', title: 'Source', cell: (source) => sourceName(source.source) },
          { id: 'in', title: 'Came in', isNumber: true, cell: (source) => formatCount(source.n_candidates) },
          { id: 'dropped', title: 'Dropped', isNumber: true, cell: (source) => formatCount(source.n_dropped) },
          { id: 'kept', title: 'Kept', isNumber: true, cell: (source) => formatCount(source.n_kept) },
          { id: 'share', title: 'Share', isNumber: true, cell: (one) => formatShare(one.n_kept / one.n_candidates) },
        ]}
      />
    </>
  )
}
