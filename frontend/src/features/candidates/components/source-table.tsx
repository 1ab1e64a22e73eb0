import { Table } from '@/components/ui/table'
import type { SourceCounts } from '@/lib/api/served'
import { sourceName } from '@/lib/candidates/source-name'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/candidates'
import styles from './funnel-page.module.css'

/** How many captions each source brought and how many of them are kept. */
export function SourceTable({ sources }: { sources: readonly SourceCounts[] }) {
  return (
    <>
      <h2 className={styles.title}>{t.bySource}</h2>
      <Table
        label={t.captionsBySource}
        rows={sources}
        rowId={(source) => source.source}
        columns={[
          { id: 'source', title: t.source, cell: (source) => sourceName(source.source) },
          {
            id: 'in',
            title: t.cameIn,
            isNumber: true,
            onPhone: 'under',
            cell: (source) => formatCount(source.n_candidates),
          },
          {
            id: 'dropped',
            title: t.dropped,
            isNumber: true,
            onPhone: 'under',
            cell: (source) => formatCount(source.n_dropped),
          },
          { id: 'kept', title: t.kept, isNumber: true, onPhone: 'under', cell: (source) => formatCount(source.n_kept) },
          {
            id: 'share',
            title: t.share,
            isNumber: true,
            onPhone: 'under',
            cell: (one) => formatShare(one.n_kept / one.n_candidates),
          },
        ]}
      />
    </>
  )
}
