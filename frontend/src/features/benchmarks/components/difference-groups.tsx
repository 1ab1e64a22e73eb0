import { Disclosure } from '@/components/ui/disclosure'
import { Table, type TableColumn } from '@/components/ui/table'
import { t } from '@/messages/benchmarks'
import type { Comparison, Difference } from '../api/shapes'
import { directionName, formatDifference, isLowBetter, metricName } from '../state/metrics'
import styles from './benchmarks.module.css'

interface DifferenceRow extends Difference {
  name: string
  measure: string
  /** The model that is better; none where the difference may be chance. */
  better: string | null
}

/** The differences under the name of their direction: the real ones in sight, the others folded. */
export function DifferenceGroups({ a, b, differences }: Pick<Comparison, 'a' | 'b' | 'differences'>) {
  const groups = new Map<string, DifferenceRow[]>()
  for (const [name, difference] of Object.entries(differences)) {
    const dot = name.indexOf('.')
    const direction = name.slice(0, dot)
    const measure = name.slice(dot + 1)
    const better = isLowBetter(measure) === difference.value < 0 ? b.model : a.model
    const row = { ...difference, name, measure, better: difference.is_real ? better : null }
    groups.set(direction, [...(groups.get(direction) ?? []), row])
  }
  if (groups.size === 0) return null
  const all = [...groups.values()].flat()
  const real = all.filter(({ is_real: isReal }) => isReal).length
  return (
    <section className={styles.differences} aria-labelledby="differences">
      <h2 id="differences" className={styles.title}>
        {t.differences}
      </h2>
      <p className={styles.note}>
        {real > 0 ? t.nReal({ real, all: all.length }) : t.noneReal} {t.differencesAre({ a: a.model, b: b.model })}
      </p>
      <div className={styles.panels}>
        {[...groups].map(([direction, rows]) => (
          <Group key={direction} title={directionName(direction)} rows={rows} />
        ))}
      </div>
    </section>
  )
}

function Group({ title, rows }: { title: string; rows: readonly DifferenceRow[] }) {
  const real = rows.filter(({ better }) => better !== null)
  const others = rows.filter(({ better }) => better === null)
  return (
    <div className={styles.part}>
      <h3>{title}</h3>
      {real.length > 0 && <Table label={title} columns={[...columns, winner]} rows={real} rowId={({ name }) => name} />}
      {others.length > 0 && (
        <Disclosure summary={t.mayBeChance({ n: others.length })}>
          <Table label={title} columns={columns} rows={others} rowId={({ name }) => name} />
        </Disclosure>
      )}
    </div>
  )
}

const columns: readonly TableColumn<DifferenceRow>[] = [
  { id: 'measure', title: t.figure, isRowHeader: true, cell: ({ measure }) => metricName(measure) },
  {
    id: 'value',
    title: t.difference,
    isNumber: true,
    cell: ({ measure, value }) => formatDifference(measure, value),
  },
  {
    id: 'interval',
    title: t.interval,
    isNumber: true,
    cell: ({ measure, low, high }) => (
      <span className={styles.interval}>
        {low === null || high === null
          ? '–'
          : t.rangeOf({ low: formatDifference(measure, low), high: formatDifference(measure, high) })}
      </span>
    ),
  },
]

const winner: TableColumn<DifferenceRow> = {
  id: 'better',
  title: t.betterModel,
  cell: ({ better }) => <span className={styles.text}>{better}</span>,
}
