import { FilterChip } from '@/components/ui/filter-chip'
import { useLabelLooks } from '@/components/ui/label-looks'
import { SearchField } from '@/components/ui/search-field'
import { t } from '@/messages/past-work'
import { isNarrowed, labels, type PastFilter, readFilter, states } from '../state/past-filter'
import styles from './past-filters.module.css'

export interface PastFiltersProps {
  filter: PastFilter
  onFilter: (filter: PastFilter) => void
}

const stateWords = { feedback: t.withFeedback, revised: t.revised }

/** Words, answer and state of the answers: in the address, so that the page opens as it is. */
export function PastFilters({ filter, onFilter }: PastFiltersProps) {
  const looks = useLabelLooks()
  const set = (changed: Record<string, string | null>) => onFilter(readFilter({ ...filter, ...changed }))
  return (
    <div className={styles.filters} role="search">
      <SearchField label={t.search} words={filter.q ?? ''} onSearch={(q) => set({ q })} />
      <div className={styles.chips} role="group" aria-label={t.filters}>
        <FilterChip isSmall isOn={!isNarrowed(filter)} onPress={() => onFilter({})}>
          {t.all}
        </FilterChip>
        {labels.map((label) => (
          <FilterChip
            key={label}
            isSmall
            isOn={filter.label === label}
            onPress={() => set({ label: filter.label === label ? null : label })}
          >
            {looks[label].word}
          </FilterChip>
        ))}
        {states.map((state) => (
          <FilterChip
            key={state}
            isSmall
            isOn={filter.state === state}
            onPress={() => set({ state: filter.state === state ? null : state })}
          >
            {stateWords[state]}
          </FilterChip>
        ))}
      </div>
    </div>
  )
}
