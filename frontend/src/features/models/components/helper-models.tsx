import { Table, type TableColumn } from '@/components/ui/table'
import type { Calibrations } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/models'
import styles from './models.module.css'

type HelperModel = Calibrations['helpers'][number]

const uses: Record<HelperModel['use'], string> = {
  images: t.readsImages,
  sentences: t.readsSentences,
  words: t.readsWords,
}

const columns: readonly TableColumn<HelperModel>[] = [
  { id: 'model', title: t.model, isRowHeader: true, cell: ({ model }) => model },
  { id: 'use', title: t.usedFor, onPhone: 'under', cell: ({ use }) => uses[use] },
  {
    id: 'parameters',
    title: t.parameters,
    isNumber: true,
    onPhone: 'under',
    cell: ({ n_parameters: n }) => (n === null ? '–' : formatCount(n)),
  },
  { id: 'licence', title: t.licence, onPhone: 'under', cell: ({ licence }) => licence || '–' },
]

/** The models of this site that do other work. */
export function HelperModels({ helpers }: { helpers: readonly HelperModel[] }) {
  return (
    <section className={styles.helpers} aria-labelledby="helpers">
      <h2 id="helpers" className={styles.title}>
        {t.helpers}
      </h2>
      <Table label={t.helpers} columns={columns} rows={helpers} rowId={({ use }) => use} />
    </section>
  )
}
