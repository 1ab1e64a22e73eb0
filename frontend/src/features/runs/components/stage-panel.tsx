import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Notice } from '@/components/ui/notice'
import type { Project } from '@/lib/api/contract'
import type { Stage, Walk } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { flowOut } from '../state/flow'
import { stalenessOf } from '../state/next-step'
import { isPartly } from '../state/run-looks'
import { Drops } from './drops'
import { stateWords } from './phase-band'
import { StageNews } from './stage-news'
import styles from './stage-panel.module.css'

export interface StagePanelProps {
  project: Project
  walk: Walk
  stage: Stage
  /** Null for who may only look. */
  onStart: (() => void) | null
}

/** A stage in detail: what it does, what happened last, what fell out and what flows on, and a button to start it. */
export function StagePanel({ project, walk, stage, onStart }: StagePanelProps) {
  const staleness = stalenessOf(walk, stage)
  const isPart = stage.state === 'done' && stage.last_run !== null && isPartly(stage.last_run)
  const flow = flowOut(walk, stage.name)
  return (
    <section className={styles.panel} aria-label={stage.label}>
      <header>
        <p className={styles.state}>
          {isPart ? t.saidPartly : stateWords[stage.state]}
          {stage.optional && ` · ${t.isOptional}`}
        </p>
        <h2 className={styles.name}>
          {stage.label}
          {staleness && <Badge tone="unsure">{t.outOfDate}</Badge>}
        </h2>
      </header>
      <p className={styles.explanation}>{stage.explanation}</p>
      {stage.lacks_worker && <NoWorker stage={stage} />}
      {stage.obstacle && stage.state !== 'running' && <Notice>{stage.obstacle.message}</Notice>}
      <StageNews stage={stage} counters={walk.counters} slug={project.slug} staleness={staleness} />
      {flow && (
        <p className={styles.flow}>
          <strong>{formatCount(flow.count)}</strong> {flow.unit}
        </p>
      )}
      {stage.last_run && <Drops run={stage.last_run} slug={project.slug} />}
      <StageDeed project={project} stage={stage} onStart={onStart} />
    </section>
  )
}

const startWorker = (queue: string): string => ['celery', '-A', 'workers.celery', 'worker', '-Q', queue].join(' ')

/** The run waits, and nobody can do it: this takes an administrator. */
export function NoWorker({ stage }: { stage: Pick<Stage, 'queue' | 'label'> }) {
  return (
    <Notice tone="bad">
      {t.noWorker({ label: stage.label, queue: stage.queue })} <code>{startWorker(stage.queue)}</code>
    </Notice>
  )
}

function StageDeed({ project, stage, onStart }: Omit<StagePanelProps, 'walk'>) {
  if (stage.by_people) return <PeopleLinks project={project} stage={stage} />
  if (!onStart || !stage.startable) return null
  return (
    <p>
      <Button
        onPress={onStart}
        aria-label={stage.last_run ? `${t.runAgain}: ${stage.label}` : t.startStage({ label: stage.label })}
      >
        {stage.last_run ? t.runAgain : t.startPlain}
      </Button>
    </p>
  )
}

/** A stage that people do: how far they are, and what they see. */
function PeopleLinks({ project, stage }: { project: Project; stage: Stage }) {
  if (stage.state !== 'waiting') return null
  const params = { slug: project.slug }
  return (
    <p className={styles.links}>
      <LinkButton size="small" to="/projects/$slug/annotate" params={params}>
        {t.openDesk}
      </LinkButton>
      <LinkButton size="small" to="/projects/$slug/quality" params={params} search={{ tab: 'forecast' }}>
        {t.seeForecast}
      </LinkButton>
    </p>
  )
}
