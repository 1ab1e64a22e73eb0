import type { Run } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { countDropped, countIgnored, readCounts } from '../state/run-counts'
import { reasonWords } from '../state/run-looks'
import styles from './run-page.module.css'

/** What went in, what came out, and what fell out between. */
export function RunCountsView({ run }: { run: Run }) {
  const counts = readCounts(run)
  const nDropped = countDropped(run)
  return (
    <section>
      <h2 className={styles.title}>{t.counts}</h2>
      <dl className={styles.counts}>
        <Figure name={t.saidIn} value={counts.in} />
        <Figure name={t.saidOut} value={counts.out} />
        <Figure name={t.saidDropped} value={nDropped} />
        <Figure name={t.saidIgnored} value={countIgnored(run) || null} />
        {counts.others.map(([name, value]) => (
          <Figure key={name} name={reasonWords(name)} value={value} />
        ))}
      </dl>
      {counts.dropped.length > 0 && (
        <ul className={styles.reasons} aria-label={t.droppedByReason}>
          {counts.dropped.map(([reason, count]) => (
            <li key={reason}>
              <span className={styles.number}>{formatCount(count)}</span> {reasonWords(reason)}
              <span className={styles.bar} style={{ inlineSize: `${(100 * count) / nDropped}%` }} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Figure({ name, value }: { name: string; value: number | null }) {
  if (value === null) return null
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>{formatCount(value)}</dd>
    </div>
  )
}
