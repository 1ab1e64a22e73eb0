import { Link } from '@tanstack/react-router'
import type { Run } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
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
      <ul className={styles.list} aria-label={t.droppedHere}>
        {dropped.slice(0, shown).map(([reason, count]) => (
          <li key={reason} className={styles.drop}>
            <span className={styles.count}>{formatCount(count)}</span>
            <span>{reasonWords(reason)}</span>
          </li>
        ))}
        {rest > 0 && (
          <li className={styles.drop}>
            <span className={styles.count}>{formatCount(rest)}</span>
            <span>{t.otherReasons}</span>
          </li>
        )}
      </ul>
      {run.n_refused > 0 && (
        <Link to="/projects/$slug/walk/runs/$runId" params={{ slug, runId: run.id }}>
          {t.refusedRows({ nRefused: run.n_refused })}
        </Link>
      )}
    </div>
  )
}
