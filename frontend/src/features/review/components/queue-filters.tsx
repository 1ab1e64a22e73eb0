import { type RefObject, useRef } from 'react'
import { FilterChip } from '@/components/ui/filter-chip'
import { t } from '@/messages/review'
import { usePeople } from '../api/feedback'
import { type Counts, reasonCodes } from '../api/shapes'
import { orderWords, reasonWords } from '../state/case-words'
import { orders, type ReviewSearch } from '../state/search'
import styles from './queue.module.css'

export interface QueueFiltersProps {
  slug: string
  search: ReviewSearch
  counts: Counts | undefined
  /** Where the key of the filters leads. */
  first: RefObject<HTMLButtonElement | null>
  onChange: (changes: Partial<Record<keyof ReviewSearch, unknown>>) => void
}

/** Why, whose, in which order: chips with counts that fall while one works. */
export function QueueFilters({ slug, search, counts, first, onChange }: QueueFiltersProps) {
  const people = usePeople(slug)
  const chips = useRef<HTMLDivElement>(null)
  const there = reasonCodes.filter((code) => (counts?.by_reason[code] ?? 0) > 0 || code === search.reason)
  const isOpen = search.state !== 'done'
  // The figures are of all open cases: beside a narrower list they would be wrong.
  const hasCounts = isOpen && search.annotator === undefined
  return (
    <div className={styles.filters} role="group" aria-label={t.filters}>
      <div ref={chips} className={styles.chipRow}>
        <FilterChip
            isSmall
          ref={first}
          isOn={!search.reason}
          n={hasCounts ? counts?.open : undefined}
          onPress={() => onChange({ reason: undefined })}
        >
          {t.allReasons}
        </FilterChip>
        {there.map((code) => (
          <FilterChip
            isSmall
            key={code}
            isOn={search.reason === code}
            n={hasCounts ? counts?.by_reason[code] : undefined}
            onPress={() => onChange({ reason: search.reason === code ? undefined : code })}
          >
            {reasonWords[code].chip}
          </FilterChip>
        ))}
      </div>
      <div className={styles.picks}>
        <Pick
          label={t.annotator}
          value={search.annotator ? String(search.annotator) : ''}
          choices={[
            ['', t.everybody],
            ...people.map(({ user }) => [String(user.id), user.display_name || user.username] as const),
          ]}
          onPick={(id) => onChange({ annotator: id === '' ? undefined : Number(id) })}
        />
        {isOpen && (
          <Pick
            label={t.order}
            value={search.order ?? 'priority'}
            choices={orders.map((order) => [order, orderWords[order]] as const)}
            onPick={(order) => onChange({ order: order })}
          />
        )}
        <Pick
          label={t.openOrClosed}
          value={search.state ?? 'open'}
          choices={[
            ['open', t.showOpen],
            ['done', t.showDone],
          ]}
          onPick={(state) => onChange({ state: state === 'done' ? 'done' : undefined, case: undefined })}
        />
      </div>
    </div>
  )
}

interface PickProps {
  label: string
  value: string
  choices: readonly (readonly [string, string])[]
  onPick: (value: string) => void
}

/** The browser's own list: small, and at home on a phone. */
export function Pick({ label, value, choices, onPick }: PickProps) {
  return (
    <select
      className={styles.pick}
      aria-label={label}
      value={value}
      onChange={(event) => {
        onPick(event.target.value)
        // The keys of the page act again.
        event.target.blur()
      }}
    >
      {choices.map(([id, words]) => (
        <option key={id} value={id}>
          {words}
        </option>
      ))}
    </select>
  )
}
