import { Link } from '@tanstack/react-router'
import { formatCount, plural } from '@/lib/format/numbers'
import type { Run } from '@/lib/api/served'
import { readCounts } from '../state/run-counts'
import { reasonWords } from '../state/run-looks'
import styles from './drops.module.css'

const shown = 4

/** What fell out at a stage, branching off the line, each with its reason. */
export function Drops({ run, slug }: { run: Run; slug: string }) {
  const { dropped } = readCounts(run)
  if (dropped.length === 0) return null
  const rest = dropped.slice(shown).reduce((sum, [, count]) => sum + count, 0)
  return (
    <div className={styles.branch}>
      <ul className={styles.list} aria-label="Dropped here">
        {dropped.slice(0, shown).map(([reason, count]) => (
          <li key={reason} className={styles.drop}>
            <span className={styles.count}>{formatCount(count)}</span>
            <span>{reasonWords(reason)}</span>
          </li>
        ))}
        {rest > 0 && (
          <li className={styles.drop}>
            <span className={styles.count}>{formatCount(rest)}</span>
            <span>for other reasons</span>
          </li>
        )}
      </ul>
      {run.n_refused > 0 && (
        <Link to="/projects/$slug/walk/runs/$runId" params={{ slug, runId: run.id }}>
          {plural(run.n_refused, 'refused row')}
        </Link>
      )}
    </div>
  )
}
