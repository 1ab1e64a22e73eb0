import type { RefObject } from 'react'
import { Button } from '@/components/ui/button'
import { Pressable } from '@/components/ui/pressable'
import { TextField } from '@/components/ui/text-field'
import { css, type MapColours } from '@/lib/caption-map/use-colours'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/caption-map'
import type { Explorer } from '../state/use-explorer'
import styles from './legend.module.css'

const mostEntries = 12

interface LegendProps {
  explorer: Explorer
  colours: MapColours
  search: RefObject<HTMLDivElement | null>
}

/** The search, and what the colours mean; a press on an entry shows only its points. */
export function Legend({ explorer, colours, search }: LegendProps) {
  const { column, filters, asked, layer } = explorer
  const chosen = filters[column.name] ?? []
  const elsewhere = layer.columns.filter(({ name }) => name !== column.name && filters[name])
  const entries = column.entries.map((entry, code) => ({ ...entry, code })).filter(({ n }) => n > 0)
  // The last one, of points without a value, is always told.
  const isLong = entries.length > mostEntries + 1
  const shown = isLong
    ? [...entries.slice(0, mostEntries), ...entries.slice(-1).filter(({ value }) => !value)]
    : entries
  return (
    <section className={styles.legend} aria-label={column.label}>
      <div ref={search}>
        <TextField
          label={t.search}
          placeholder={t.searchHint}
          value={asked}
          onChange={explorer.setAsked}
          type="search"
        />
      </div>
      <div>
        <h2 className={styles.title}>{column.label}</h2>
        <ul className={styles.entries}>
          {shown.map(({ code, label, n, tint, value }) => (
            <li key={value}>
              <Pressable
                className={styles.entry}
                aria-pressed={chosen.includes(code)}
                onPress={() => explorer.toggle(column.name, code)}
              >
                <span
                  className={styles.dot}
                  style={{ backgroundColor: css(colours.of({ label, n, tint, value })) }}
                  aria-hidden="true"
                />
                <span className={styles.label}>{label}</span>
                <span className={styles.count}>{formatCount(n)}</span>
              </Pressable>
            </li>
          ))}
        </ul>
        {isLong && <p className={styles.note}>{t.moreEntries({ n: entries.length - shown.length })}</p>}
        {elsewhere.length > 0 && (
          <p className={styles.note}>{t.alsoFiltered({ columns: elsewhere.map(({ label }) => label).join(', ') })}</p>
        )}
        {Object.keys(filters).length > 0 && (
          <Button size="small" onPress={explorer.clearFilters}>
            {t.showAllEntries}
          </Button>
        )}
      </div>
    </section>
  )
}
