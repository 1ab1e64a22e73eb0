import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Release, ReleaseEntry } from '@/lib/api/served'
import { useOffsetTop } from '@/lib/layout/use-offset-top'
import { t } from '@/messages/releases'
import { useEntries } from '../api/get-entries'
import { EntryView } from './entry-view'
import styles from './release-page.module.css'

const guessedHeight = 340
const nearTheEnd = 5

/** Every photograph of the release with its captions; only those near the window are drawn. */
export function EntryList({ release }: { release: Release }) {
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useEntries(release.id)
  const entries = data?.pages.flatMap((page) => page.results) ?? []
  const more = hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined
  return (
    <section className={styles.section}>
      <h2 className={styles.title}>{t.photographsWithCaptions}</h2>
      {isPending && <Skeleton label={t.thePhotographs} rows={6} />}
      {error && entries.length === 0 && <ErrorState error={error} onRetry={() => void refetch()} />}
      {entries.length > 0 && <VirtualEntries entries={entries} total={release.n_images} onNearEnd={more} />}
    </section>
  )
}

interface VirtualEntriesProps {
  entries: readonly ReleaseEntry[]
  total: number
  onNearEnd: (() => void) | undefined
}

function VirtualEntries({ entries, total, onNearEnd }: VirtualEntriesProps) {
  const list = useRef<HTMLOListElement>(null)
  const scrollMargin = useOffsetTop(list)
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => guessedHeight,
    overscan: 3,
    scrollMargin,
    getItemKey: (index) => entries[index]?.image.digest ?? index,
  })
  const rows = virtualizer.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= entries.length - nearTheEnd) onNearEnd?.()
  }, [last, entries.length, onNearEnd])
  return (
    <ol ref={list} className={styles.entries} style={{ height: virtualizer.getTotalSize() }}>
      {rows.map((row) => {
        const entry = entries[row.index]
        return (
          entry && (
            <li
              key={row.key}
              ref={virtualizer.measureElement}
              data-index={row.index}
              className={styles.entry}
              aria-posinset={row.index + 1}
              aria-setsize={total}
              style={{ transform: `translateY(${row.start - scrollMargin}px)` }}
            >
              <EntryView entry={entry} />
            </li>
          )
        )
      })}
    </ol>
  )
}
