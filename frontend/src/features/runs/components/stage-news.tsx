import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ProgressBar } from '@/components/ui/progress-bar'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Run, Stage, Walk } from '@/lib/api/served'
import { tookBetween } from '@/lib/format/duration'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { placesOpen } from '../state/flow'
import { isLive } from '../state/run-looks'
import styles from './stage-station.module.css'

export interface StageNewsProps {
  stage: Stage
  gauges: Walk['gauges']
  slug: string
}

/** What happened at this stage last, or what it waits for, in one line. */
export function StageNews({ stage, gauges, slug }: StageNewsProps) {
  if (stage.by_people) return <p className={styles.news}>{placesOpen(gauges) || peopleNews(stage)}</p>
  const run = stage.last_run
  if (run && isLive(run)) return <LiveRun run={run} slug={slug} label={stage.label} />
  return (
    <>
      {run ? <LastRun run={run} slug={slug} /> : <p className={styles.news}>{stage.why_not || t.readyToStart}</p>}
      <Onward stage={stage} slug={slug} />
    </>
  )
}

/** The page on which a person sees more of what the stage works on, or decides about what it found. */
function Onward({ stage: { name, last_run: run }, slug }: Pick<StageNewsProps, 'stage' | 'slug'>) {
  if (name === 'embed_corpus') {
    return (
      <Link to="/projects/$slug/corpora" params={{ slug }} className={styles.onward}>
        {t.seeCorpora}
      </Link>
    )
  }
  const suspects = name === 'retrieve' ? run?.counts.suspects : 0
  if (typeof suspects !== 'number' || suspects === 0) return null
  return (
    <Link to="/projects/$slug/leakage" params={{ slug }} className={styles.onward}>
      {t.goThrough({ suspects })}
    </Link>
  )
}

const peopleNews = (stage: Stage): string => (stage.state === 'empty' ? t.beginsWithHits : t.allTaken)

function LiveRun({ run, slug, label }: { run: Run; slug: string; label: string }) {
  const ofTotal = run.total === null ? '' : t.ofTotal({ total: formatCount(run.total) })
  return (
    <div className={styles.live}>
      <ProgressBar label={label} value={run.done} max={run.total} />
      <p className={styles.news}>
        {run.status === 'queued' ? t.waitingForWorker : `${formatCount(run.done)}${ofTotal}.`}{' '}
        <RunLink run={run} slug={slug}>
          {t.watchIt}
        </RunLink>
      </p>
    </div>
  )
}

function LastRun({ run, slug }: { run: Run; slug: string }) {
  const took = tookBetween(run.started_at, run.finished_at)
  if (run.status === 'failed') {
    return (
      <p className={styles.failure}>
        {run.error?.message ?? t.failedWithoutWord}{' '}
        <RunLink run={run} slug={slug}>
          {t.seeLog}
        </RunLink>
      </p>
    )
  }
  return (
    <p className={styles.news}>
      <RunLink run={run} slug={slug}>
        {run.status === 'cancelled' ? t.cancelled : t.ran} <RelativeTime at={run.finished_at ?? run.created_at} />
      </RunLink>
      {took && t.tookSoLong({ took })}
      {run.started_by && t.byWho({ startedBy: run.started_by })}
    </p>
  )
}

function RunLink({ run, slug, children }: { run: Run; slug: string; children: ReactNode }) {
  return (
    <Link to="/projects/$slug/walk/runs/$runId" params={{ slug, runId: run.id }} className={styles.runLink}>
      {children}
    </Link>
  )
}
