import { FilterChip } from '@/components/ui/filter-chip'
import { FilterSelect } from '@/components/ui/filter-select'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/explore'
import type { ImageColours } from '../state/use-image-colours'
import styles from './colour-choice.module.css'

const bySample = 'sample'

/** Which column colours the points, and what its colours mean. */
export function ColourChoice({ colours }: { colours: ImageColours }) {
  const { choose, columns, column, legend } = colours
  if (!choose) return null
  return (
    <div className={styles.choice}>
      {columns.length === 0 ? (
        <FilterChip isOn={false} onPress={colours.ask}>
          {colours.isPending ? t.coloursLoading : t.colourByData}
        </FilterChip>
      ) : (
        <FilterSelect
          autoFocus={column === null && colours.isAsked}
          label={t.colour}
          all={bySample}
          choices={[
            { value: bySample, label: t.sample },
            ...columns.map(({ name, label }) => ({ value: name, label })),
          ]}
          value={column?.name ?? bySample}
          onChange={(value) => choose(columns.find(({ name }) => name === value)?.name ?? null)}
        />
      )}
      {legend.length > 0 && (
        <ul className={styles.legend} aria-label={t.colourLegend}>
          {legend.map(({ label, colour, n }) => (
            <li key={label} className={styles.entry}>
              <span className={styles.dot} style={{ backgroundColor: colour }} aria-hidden="true" />
              <span>{label}</span>
              <span className={styles.count}>{formatCount(n)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
