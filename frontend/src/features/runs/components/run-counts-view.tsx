import type { Run } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t as counted } from '@/messages/run-counts'
import { t } from '@/messages/runs'
import { wordsOfCount, wordsOfIn, wordsOfOut } from '../state/count-words'
import { countDropped, countIgnored, readCounts } from '../state/run-counts'
import { reasonWords } from '../state/run-looks'
import styles from './run-page.module.css'

/** What went in, what came out, what fell out between and why, and what else was counted: each in words of its own. */
export function RunCountsView({ run }: { run: Run }) {
  const counts = readCounts(run)
  const nDropped = countDropped(run)
  return (
    <section>
      <h2 className={styles.title}>{t.counts}</h2>
      <dl className={styles.counts}>
        <Figure name={wordsOfIn(run.stage)} value={counts.in} />
        <Figure name={wordsOfOut(run.stage)} value={counts.out} />
        <Figure name={counted.removed} value={nDropped || null} />
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
      <Others run={run} />
    </section>
  )
}

/** What a stage counted beside. A zero says nothing, and what was removed has its reasons above. */
function Others({ run }: { run: Run }) {
  const { others, dropped } = readCounts(run)
  const reasons = new Set(dropped.map(([reason]) => reason))
  const shown = others.filter(([name, value]) => value > 0 && !reasons.has(name))
  const nIgnored = countIgnored(run)
  if (shown.length === 0 && nIgnored === 0) return null
  return (
    <dl className={styles.others}>
      {nIgnored > 0 && <Line name={counted.notNeeded} value={nIgnored} />}
      {shown.map(([name, value]) => (
        <Line key={name} {...wordsOfCount(name)} value={value} />
      ))}
    </dl>
  )
}

function Line({ name, hint, value }: { name: string; hint?: string; value: number }) {
  return (
    <div className={styles.line}>
      <dt>
        {name}
        {hint && <small className={styles.hint}>{hint}</small>}
      </dt>
      <dd>{formatCount(value)}</dd>
    </div>
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
