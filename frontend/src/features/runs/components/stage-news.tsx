import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ProgressBar } from '@/components/ui/progress-bar'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Run, Stage, Walk } from '@/lib/api/served'
import { tookBetween } from '@/lib/format/duration'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { slotsOpen } from '../state/flow'
import type { Staleness } from '../state/next-step'
import { isLive, isPartly, sayError } from '../state/run-looks'
import { PeopleAtWork } from './people-at-work'
import styles from './stage-panel.module.css'

export interface StageNewsProps {
  stage: Stage
  counters: Walk['counters']
  slug: string
  staleness: Staleness | null
}

/** What happened at this stage last, or what it waits for, in one line; and why it is out of date. */
export function StageNews({ stage, counters, slug, staleness }: StageNewsProps) {
  if (stage.by_people) return <PeopleNews stage={stage} counters={counters} slug={slug} />
  const run = stage.last_run
  if (run && isLive(run)) return <LiveRun run={run} slug={slug} label={stage.label} />
  return (
    <>
      {run ? <LastRun run={run} slug={slug} /> : <p className={styles.news}>{stage.why_not || t.readyToStart}</p>}
      {staleness && <p className={styles.stale}>{sayStaleness(stage, staleness)}</p>}
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

function sayStaleness(stage: Stage, staleness: Staleness): string {
  if ('by' in staleness) return t.ranLater({ label: staleness.by.label })
  const n = staleness.unread
  if (stage.name === 'suggest_edits') return t.withoutSuggestions({ n })
  if (stage.name === 'consensus') return t.newAnswers({ n })
  return stage.name === 'clean' ? t.newCaptions({ n }) : t.newCorpora({ n })
}

/** How many assignments people have done, and how many are open. */
function PeopleNews({ stage, counters, slug }: Pick<StageNewsProps, 'stage' | 'counters' | 'slug'>) {
  const { slots = 0, slots_open: open = 0 } = counters
  return (
    <div className={styles.live}>
      {slots > 0 && <ProgressBar label={stage.label} value={slots - open} max={slots} />}
      <p className={styles.news}>
        {slots > 0 && t.placesDone({ done: formatCount(slots - open), n: slots })}{' '}
        {slotsOpen(counters) || peopleNews(stage)}
      </p>
      {slots > open && <PeopleAtWork slug={slug} />}
    </div>
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
        {run.error ? sayError(run.error) : t.failedWithoutWord}{' '}
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
      {isPartly(run) && <strong className={styles.partlyNews}> {t.tookPart({ n: run.n_refused })}</strong>}
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
