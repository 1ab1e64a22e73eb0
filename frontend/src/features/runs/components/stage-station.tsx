import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { Icon, type IconName } from '@/components/ui/icon'
import { KeyCap } from '@/components/ui/key-cap'
import { LinkButton } from '@/components/ui/link-button'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import type { Project } from '@/lib/api/contract'
import type { Stage, StageState, Walk } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { type Flow, flowOut } from '../state/flow'
import { type NextStep, stalenessOf, type Why } from '../state/next-step'
import { isPartly } from '../state/run-looks'
import { Drops } from './drops'
import { StageNews } from './stage-news'
import styles from './stage-station.module.css'

export interface StageStationProps {
  project: Project
  walk: Walk
  stage: Stage
  /** Set on the one stage to start now. */
  next: NextStep | null
  /** Null for who may only look. */
  onStart: (() => void) | null
}

const signs: Partial<Record<StageState, IconName>> = { done: 'check', failed: 'cross' }
const stateWords: Record<StageState, string> = {
  empty: t.notReady,
  ready: t.saidReady,
  running: t.saidRunning,
  done: t.saidDone,
  failed: t.saidFailed,
  waiting: t.waitingForPeople,
}

/** One stop on the line: its mark, what it does, what happened last, what fell out, and what flows on. */
export function StageStation({ project, walk, stage, next, onStart }: StageStationProps) {
  const sign = signs[stage.state]
  const staleness = stalenessOf(walk, stage)
  const isPart = stage.state === 'done' && stage.last_run !== null && isPartly(stage.last_run)
  return (
    <li className={cx(styles.station, styles[stage.state], isPart && styles.partly, next && styles.next)}>
      <div className={styles.mark}>
        <span className={styles.dot}>{sign && <Icon name={sign} size={14} strokeWidth={2.4} />}</span>
        <span className="visually-hidden">{isPart ? t.saidPartly : stateWords[stage.state]}</span>
      </div>
      <div className={styles.about}>
        <h2 className={styles.name}>
          {stage.label}
          {staleness && <Badge tone="unsure">{t.outOfDate}</Badge>}
        </h2>
        <p className={styles.explanation}>{stage.explanation}</p>
        <StageNews stage={stage} counters={walk.counters} slug={project.slug} staleness={staleness} />
      </div>
      <div className={styles.deed}>
        <StageDeed project={project} stage={stage} next={next} onStart={onStart} />
      </div>
      {stage.last_run && <Drops run={stage.last_run} slug={project.slug} />}
      <FlowOn flow={flowOut(walk.counters, stage.name)} isLast={stage === walk.stages.at(-1)} />
    </li>
  )
}

/** The count that leaves for the next station, written on the line. */
function FlowOn({ flow, isLast }: { flow: Flow | null; isLast: boolean }) {
  return (
    <p className={cx(styles.flow, !flow && styles.dry, isLast && styles.last)}>
      {flow && (
        <>
          <strong>{formatCount(flow.count)}</strong> {flow.unit}
        </>
      )}
    </p>
  )
}

const verbs: Record<Exclude<Why, 'people'>, string> = { first: t.startPlain, failed: t.tryAgain, stale: t.runAgain }

function StageDeed({ project, stage, next, onStart }: Omit<StageStationProps, 'walk'>) {
  const keys = useAction('walk.next')?.keys ?? []
  if (stage.by_people) return <PeopleLinks project={project} stage={stage} next={next} keys={keys} />
  if (!onStart || !stage.startable) return null
  if (!next || next.why === 'people') {
    return (
      <Button
        size="small"
        variant="quiet"
        onPress={onStart}
        aria-label={stage.last_run ? `${t.runAgain}: ${stage.label}` : t.start({ label: stage.label })}
      >
        {stage.last_run ? t.runAgain : t.startPlain}
      </Button>
    )
  }
  return (
    <Button variant="primary" icon="play" onPress={onStart} keyShortcuts={ariaShortcuts(keys)} shortcut={keys[0]}>
      {`${verbs[next.why]}: ${stage.label}`}
    </Button>
  )
}

interface PeopleLinksProps {
  project: Project
  stage: Stage
  next: NextStep | null
  keys: readonly string[]
}

/** A stage that people do: the curator invites them, and can see the tasks as they do. */
function PeopleLinks({ project, stage, next, keys }: PeopleLinksProps) {
  if (stage.state !== 'waiting') return null
  const params = { slug: project.slug }
  return (
    <div className={styles.links}>
      {next && (
        <LinkButton
          variant="primary"
          to="/projects/$slug/people"
          params={params}
          aria-keyshortcuts={ariaShortcuts(keys)}
        >
          {t.inviteAnnotators}
          {keys[0] && <KeyCap keyName={keys[0]} />}
        </LinkButton>
      )}
      <LinkButton size="small" variant="quiet" to="/projects/$slug/annotate" params={params}>
        {t.openDesk}
      </LinkButton>
    </div>
  )
}
