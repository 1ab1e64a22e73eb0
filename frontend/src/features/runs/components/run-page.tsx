import { Link, useNavigate } from '@tanstack/react-router'
import { Grid, Span } from '@/components/ui/grid'
import { Page, PageHeader } from '@/components/ui/page-header'
import { ProgressBar } from '@/components/ui/progress-bar'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { Run, Walk } from '@/lib/api/served'
import { tookBetween } from '@/lib/format/duration'
import { formatCount } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/runs'
import { runActions } from '../actions'
import { useRun } from '../api/get-run'
import { useWalk } from '../api/get-walk'
import { countIgnored } from '../state/run-counts'
import { isLive, sayError } from '../state/run-looks'
import { NextLink, ResultLink } from './next-link'
import { OtherRuns } from './other-runs'
import { RefusalTable } from './refusal-table'
import { RunBadge } from './run-badge'
import { RunCountsView } from './run-counts-view'
import { RunDeeds } from './run-deeds'
import { RunFacts, RunParameters } from './run-facts'
import styles from './run-page.module.css'
import { hasSamples, RunSamples } from './run-samples'

export function RunPage({ project, runId }: { project: Project; runId: string }) {
  const navigate = useNavigate()
  const { data: run, error, isPending, refetch } = useRun(runId)
  // Both are fetched at once: the pipeline has the name of the stage and what comes next.
  const { data: walk, isPending: isWalkPending } = useWalk(project.slug)
  useActions(runActions, {
    'run.walk': () => void navigate({ to: '/projects/$slug/walk', params: { slug: project.slug } }),
  })
  return (
    <Page>
      <Link to="/projects/$slug/walk" params={{ slug: project.slug }} className={styles.back}>
        {t.theWalk}
      </Link>
      {(isPending || (run && isWalkPending)) && <Skeleton label={t.theRun} rows={4} />}
      {error && !run && <ErrorState error={error} title={t.runNotShown} onRetry={() => void refetch()} />}
      {run && !isWalkPending && <RunView project={project} run={run} walk={walk} />}
    </Page>
  )
}

function RunView({ project, run, walk }: { project: Project; run: Run; walk: Walk | undefined }) {
  const stage = walk?.stages.find(({ name }) => name === run.stage)
  return (
    <>
      <PageHeader
        title={stage?.label ?? run.stage}
        lead={<RunLead run={run} />}
        actions={
          <>
            <ResultLink slug={project.slug} run={run} />
            {project.role === 'curator' && <RunDeeds key={run.id} run={run} slug={project.slug} />}
            {project.role === 'curator' && walk && <NextLink slug={project.slug} run={run} walk={walk} />}
          </>
        }
      />
      {stage && <p className={styles.explanation}>{stage.explanation}</p>}
      {isLive(run) && <Progress run={run} />}
      {run.error && (
        <section className={styles.error} role="alert">
          <h2>{t.itFailed}</h2>
          <p>{sayError(run.error)}</p>
          <p className={styles.code}>{run.error.code}</p>
        </section>
      )}
      <Grid className={styles.grid}>
        <Span n={4}>
          <RunCountsView run={run} />
        </Span>
        <Span n={4}>
          <RunParameters run={run} stage={stage} />
        </Span>
        <Span n={4}>
          <RunFacts run={run} />
        </Span>
        {hasSamples(run) && (
          <Span n={12}>
            <RunSamples slug={project.slug} run={run} />
          </Span>
        )}
        <Span n={12}>
          <OtherRuns slug={project.slug} run={run} />
        </Span>
        {run.n_refused + countIgnored(run) > 0 && (
          <Span n={run.log_tail.length > 0 ? 7 : 12}>
            <RefusalTable run={run} />
          </Span>
        )}
        <Log run={run} />
      </Grid>
    </>
  )
}

function RunLead({ run }: { run: Run }) {
  const took = tookBetween(run.started_at, run.finished_at)
  return (
    <span className={styles.lead}>
      <RunBadge run={run} />
      <span>
        <Sentence of={t.startedWhen} parts={{ when: <RelativeTime at={run.created_at} /> }} />
        {run.started_by && t.byWhom({ startedBy: run.started_by })}
        {took && t.tookSoLong({ took })}
      </span>
    </span>
  )
}

function Progress({ run }: { run: Run }) {
  const ofTotal = run.total === null ? '' : t.ofTotal({ total: formatCount(run.total) })
  return (
    <div className={styles.progress}>
      <ProgressBar label={t.progress} value={run.done} max={run.total} />
      <p>{run.status === 'queued' ? t.waitingForWorker : t.doneSoFar({ done: formatCount(run.done), ofTotal })}</p>
    </div>
  )
}

/** Beside the rejected rows, or over the whole width without them. */
function Log({ run }: { run: Run }) {
  if (run.log_tail.length === 0) return null
  return (
    <Span n={run.n_refused + countIgnored(run) > 0 ? 5 : 12}>
      <h2 className={styles.title}>{t.log}</h2>
      <pre className={styles.log} role="log" aria-live={isLive(run) ? 'polite' : 'off'}>
        {run.log_tail.join('\n')}
      </pre>
    </Span>
  )
}
