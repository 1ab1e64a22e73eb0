import { FilterChip } from '@/components/ui/filter-chip'
import { SearchField } from '@/components/ui/search-field'
import { Select } from '@/components/ui/select'
import type { ImageFilter } from '@/lib/images/get-images'
import { t } from '@/messages/catalogue'
import { sorts, states } from '../state/gallery-filter'
import styles from './gallery-filters.module.css'

export interface GalleryFiltersProps {
  filter: ImageFilter
  /** A project of queries has no captions to choose or to dispute. */
  hasStates: boolean
  onChange: (filter: ImageFilter) => void
}

/** Words, state and order of the images: in the address, so that a list can be sent as a link. */
export function GalleryFilters({ filter, hasStates, onChange }: GalleryFiltersProps) {
  return (
    <div className={styles.filters} role="search">
      <SearchField label={t.searchImages} words={filter.q ?? ''} onSearch={(q) => onChange({ ...filter, q })} />
      <div>
        <Select
          label={t.sortImages}
          hidesLabel
          choices={hasStates ? sorts : sorts.filter(({ value }) => value !== 'disputes')}
          value={filter.sort ?? 'oldest'}
          onChange={(sort) => onChange({ ...filter, sort })}
        />
      </div>
      {filter.images && (
        <FilterChip
          isSmall
          isOn
          n={filter.images.split(',').length}
          onPress={() => onChange({ ...filter, images: '' })}
        >
          {t.fromMap}
        </FilterChip>
      )}
      {hasStates && (
        <div className={styles.chips} role="group" aria-label={t.stateOfImages}>
          <FilterChip isSmall isOn={!filter.state} onPress={() => onChange({ ...filter, state: null })}>
            {t.stateAll}
          </FilterChip>
          {states.map(({ state, name }) => (
            <FilterChip
              key={state}
              isSmall
              isOn={filter.state === state}
              onPress={() => onChange({ ...filter, state: filter.state === state ? null : state })}
            >
              {name}
            </FilterChip>
          ))}
        </div>
      )}
    </div>
  )
}
