import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Disclosure } from '@/components/ui/disclosure'
import { t } from '@/messages/benchmarks'
import { useDeletePublished } from '../api/get-benchmarks'
import type { Published } from '../api/shapes'
import styles from './benchmarks.module.css'

export interface PublishedTablesProps {
  slug: string
  tables: Published['tables']
  isCurator: boolean
}

/** Where published figures are from; curators delete them here. */
export function PublishedTables({ slug, tables, isCurator }: PublishedTablesProps) {
  const [asking, setAsking] = useState<Published['tables'][number] | null>(null)
  const { mutate, isPending, error, reset } = useDeletePublished(slug)
  return (
    <Disclosure summary={t.publishedTables}>
      <ul className={styles.tables}>
        {tables.map((table) => (
          <li key={table.id} className={styles.files}>
            <span>
              {table.name}, {t.nRows({ n: table.n_rows })}
              {table.published_in && ` (${table.published_in})`}
            </span>
            {isCurator && (
              <Button size="small" onPress={() => setAsking(table)}>
                {t.delete}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        title={t.deleteTableQuestion({ name: asking?.name ?? '' })}
        verb={t.delete}
        isOpen={asking !== null}
        isPending={isPending}
        error={error}
        onConfirm={() => asking && mutate(asking.id, { onSuccess: () => setAsking(null) })}
        onClose={() => {
          reset()
          setAsking(null)
        }}
      >
        {t.deleteTableConsequence}
      </ConfirmDialog>
    </Disclosure>
  )
}
