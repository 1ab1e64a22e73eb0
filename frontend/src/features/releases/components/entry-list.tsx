import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FilterSelect } from '@/components/ui/filter-select'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { ReleaseEntry } from '@/lib/api/served'
import { formatWholeShare } from '@/lib/format/numbers'
import { useOffsetTop } from '@/lib/layout/use-offset-top'
import { t } from '@/messages/releases'
import { type EntryFilter, useEntries } from '../api/get-entries'
import { useFigures } from '../api/get-figures'
import type { ReleaseSource } from '../api/source'
import { difficultyNames, lensNames, splitNames } from '../names'
import { EntryView } from './entry-view'
import styles from './release-page.module.css'

const guessedHeight = 340
const nearTheEnd = 5
const agreements = [1, 0.9, 0.8, 0.7, 0.6, 0.5]

/** What a reader can do with the image of an entry. */
export type DeedOf = (entry: ReleaseEntry) => ReactNode

interface EntryListProps {
  source: ReleaseSource
  /** Images of the whole release. */
  total: number
  deedOf?: DeedOf | undefined
}

/** The images of the release with their captions, filtered; only those near the window are drawn. */
export function EntryList({ source, total, deedOf }: EntryListProps) {
  const [filter, setFilter] = useState<EntryFilter>({})
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useEntries(source, filter)
  const entries = data?.pages.flatMap((page) => page.results) ?? []
  const more = hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined
  const isFiltered = Object.keys(filter).length > 0
  return (
    <section className={styles.section} aria-labelledby="images">
      <h2 id="images" className={styles.title}>
        {t.photographsWithCaptions}
      </h2>
      <Filters source={source} filter={filter} onChange={setFilter} />
      {isPending && <Skeleton label={t.thePhotographs} rows={6} />}
      {error && entries.length === 0 && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && entries.length === 0 && isFiltered && (
        <EmptyState
          title={t.nothingFits}
          icon="search"
          action={<Button onPress={() => setFilter({})}>{t.showAll}</Button>}
        >
          {t.nothingFitsHow}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <VirtualEntries
          key={JSON.stringify(filter)}
          entries={entries}
          total={isFiltered ? (hasNextPage ? -1 : entries.length) : total}
          isFiltered={isFiltered}
          onNearEnd={more}
          deedOf={deedOf}
        />
      )}
    </section>
  )
}

interface FiltersProps {
  source: ReleaseSource
  filter: EntryFilter
  onChange: (filter: EntryFilter) => void
}

const all = 'all'

/** What one caption of an image must be like. The choices are those that the release has. */
function Filters({ source, filter, onChange }: FiltersProps) {
  const { data: figures } = useFigures(source)
  const has = (rows: readonly { name: string; n: number }[] | null | undefined) => (rows ?? []).map(({ name }) => name)
  const set = (name: keyof EntryFilter) => (value: string) => {
    const rest = Object.fromEntries(Object.entries(filter).filter(([each]) => each !== name))
    onChange(value === all ? rest : { ...rest, [name]: name === 'min_agreement' ? Number(value) : value })
  }
  const choicesOf = (names: Readonly<Record<string, string>>, there: readonly string[]) => [
    { value: all, label: t.all },
    ...there.filter(Boolean).map((value) => ({ value, label: names[value] ?? value })),
  ]
  const inOrder = (names: Readonly<Record<string, string>>, there: readonly string[]) =>
    Object.keys(names).filter((name) => there.includes(name))
  const fields = [
    {
      name: 'difficulty',
      label: t.difficulty,
      choices: choicesOf(difficultyNames, inOrder(difficultyNames, has(figures?.difficulty))),
    },
    { name: 'lens', label: t.lens, choices: choicesOf(lensNames, inOrder(lensNames, has(figures?.lenses))) },
    { name: 'source', label: t.source, choices: choicesOf({}, has(figures?.sources)) },
    { name: 'split', label: t.split, choices: choicesOf(splitNames, inOrder(splitNames, has(figures?.splits))) },
    {
      name: 'min_agreement',
      label: t.minAgreement,
      choices: [
        { value: all, label: t.all },
        ...agreements.map((value) => ({ value: String(value), label: t.atLeast({ share: formatWholeShare(value) }) })),
      ],
    },
  ] as const
  return (
    <div className={styles.filters}>
      {fields.map(
        ({ name, label, choices }) =>
          (choices.length > 2 || filter[name] !== undefined) && (
            <FilterSelect
              key={name}
              label={label}
              all={all}
              choices={choices}
              value={String(filter[name] ?? all)}
              onChange={set(name)}
            />
          ),
      )}
    </div>
  )
}

interface VirtualEntriesProps {
  entries: readonly ReleaseEntry[]
  /** -1 while it is not known. */
  total: number
  isFiltered: boolean
  onNearEnd: (() => void) | undefined
  deedOf: DeedOf | undefined
}

function VirtualEntries({ entries, total, isFiltered, onNearEnd, deedOf }: VirtualEntriesProps) {
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
              <EntryView entry={entry} isFiltered={isFiltered} deed={deedOf?.(entry)} />
            </li>
          )
        )
      })}
    </ol>
  )
}
