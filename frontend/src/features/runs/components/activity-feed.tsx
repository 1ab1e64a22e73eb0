import { Link } from '@tanstack/react-router'
import { cx } from '@/components/ui/cx'
import { Icon } from '@/components/ui/icon'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { ErrorState } from '@/components/ui/states'
import type { Run, Stage } from '@/lib/api/served'
import { tookBetween } from '@/lib/format/duration'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { useRuns } from '../api/get-runs'
import { readCounts } from '../state/run-counts'
import { looksOf, reasonWords, sayError } from '../state/run-looks'
import styles from './activity-feed.module.css'

/** Who started what and how it ended, newest first. */
export function ActivityFeed({ slug, stages }: { slug: string; stages: readonly Stage[] }) {
  const { data, error, refetch, ...pages } = useRuns(slug)
  if (error && !data) return <ErrorState error={error} title={t.runsNotListed} onRetry={() => void refetch()} />
  const runs = data?.pages.flatMap((page) => page.results) ?? []
  const labels = new Map(stages.map((stage) => [stage.name, stage.label]))
  return (
    <section className={styles.feed} aria-labelledby="activity">
      <h2 id="activity" className={styles.title}>
        {t.activity}
      </h2>
      {runs.length === 0 && data && <p className={styles.none}>{t.noActivity}</p>}
      <ol className={styles.events}>
        {runs.map((run) => (
          <FeedLine key={run.id} slug={slug} run={run} label={labels.get(run.stage) ?? run.stage} />
        ))}
      </ol>
      <MoreButton {...pages}>{t.earlierRuns}</MoreButton>
    </section>
  )
}

function FeedLine({ slug, run, label }: { slug: string; run: Run; label: string }) {
  const look = looksOf(run)
  const told = toldOf(run)
  return (
    <li className={styles.event}>
      <span className={cx(styles.sign, styles[look.tone])}>
        <Icon name={look.icon} size={14} strokeWidth={2.2} />
      </span>
      <div className={styles.words}>
        <p>
          <strong className={styles.who}>{run.started_by ?? t.aProgramStarts}</strong> {t.startedStage}{' '}
          <Link to="/projects/$slug/walk/runs/$runId" params={{ slug, runId: run.id }}>
            {label}
          </Link>
        </p>
        <p className={styles.end}>
          {look.word}
          {told && `: ${told}`}
        </p>
      </div>
      <span className={styles.when}>
        <RelativeTime at={run.finished_at ?? run.created_at} />
      </span>
    </li>
  )
}

/** How a run ended: its error, or its figures and how long it took. */
function toldOf(run: Run): string {
  if (run.status === 'failed' && run.error) return sayError(run.error)
  const { in: read, out, dropped } = readCounts(run)
  const removed = dropped.reduce((sum, [, n]) => sum + n, 0)
  const parts = [
    read !== null && `${formatCount(read)} ${t.saidIn}`,
    out !== null && `${formatCount(out)} ${t.saidOut}`,
    removed > 0 && removedWords(removed, dropped),
    tookBetween(run.started_at, run.finished_at),
  ]
  return parts.filter(Boolean).join(', ')
}

const removedWords = (removed: number, dropped: readonly (readonly [string, number])[]): string => {
  const [most] = dropped
  const why = most && dropped.length === 1 ? ` (${reasonWords(most[0])})` : ''
  return `${formatCount(removed)} ${t.saidDropped}${why}`
}
