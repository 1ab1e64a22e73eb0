import type { ReactNode } from 'react'
import { cx } from '@/components/ui/cx'
import { Disclosure } from '@/components/ui/disclosure'
import { Icon, type IconName } from '@/components/ui/icon'
import { Pressable } from '@/components/ui/pressable'
import type { Stage, StageState, Walk } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { stalenessOf } from '../state/next-step'
import { type Phase, phasesOf } from '../state/phases'
import { isPartly, reasonWords } from '../state/run-looks'
import styles from './phase-band.module.css'
import { Ribbon } from './ribbon'

export interface PhaseBandProps {
  walk: Walk
  /** The stage whose details are shown, and how another one is chosen. */
  chosen: Stage | null
  onChoose: (stage: Stage) => void
  /** The stage to do now, marked on the band. */
  next: Stage | null
  isVertical: boolean
  /** The details of the chosen stage where they stand in the band itself. */
  details: ReactNode
}

/** The whole pipeline as one band in five parts: what is there, what was removed and why, and the stages of each part. */
export function PhaseBand({ walk, details, isVertical, ...more }: PhaseBandProps) {
  return (
    <ol className={cx(styles.band, isVertical && styles.isVertical)} aria-label={t.phases}>
      {phasesOf(walk).map((phase) => (
        <PhasePart
          key={phase.name}
          {...{ walk, phase, isVertical, ...more }}
          details={more.chosen?.phase === phase.name ? details : null}
        />
      ))}
    </ol>
  )
}

const signs: Partial<Record<StageState, IconName>> = { done: 'check', failed: 'cross' }
export const stateWords: Record<StageState, string> = {
  empty: t.notReady,
  ready: t.saidReady,
  running: t.saidRunning,
  done: t.saidDone,
  failed: t.saidFailed,
  waiting: t.waitingForPeople,
}

function PhasePart({ phase, details, isVertical, ...more }: PhaseBandProps & { phase: Phase }) {
  const isShown = ({ optional, state, name }: Stage) =>
    !optional || state === 'running' || state === 'failed' || name === more.next?.name
  const unfolded = phase.stages.filter(isShown)
  const folded = phase.stages.filter((stage) => !isShown(stage))
  return (
    <li className={cx(styles.phase, styles[phase.state])}>
      <div className={styles.head}>
        <h2 className={styles.title}>{phase.title}</h2>
        <span className="visually-hidden">{stateWords[phase.state]}</span>
        <PhaseFigure phase={phase} />
      </div>
      <div className={styles.ribbon}>
        <Ribbon phase={phase} isVertical={isVertical} />
      </div>
      <div className={styles.below}>
        <PhaseDrops phase={phase} />
        <ul className={styles.stages} aria-label={t.stagesOf({ title: phase.title })}>
          {unfolded.map((stage) => (
            <StageRow key={stage.name} stage={stage} {...more} />
          ))}
        </ul>
        {folded.length > 0 && (
          <Disclosure summary={t.optionalStages({ n: folded.length })} className={styles.optional}>
            <ul className={styles.stages} aria-label={t.optionalStagesOf({ title: phase.title })}>
              {folded.map((stage) => (
                <StageRow key={stage.name} stage={stage} {...more} />
              ))}
            </ul>
          </Disclosure>
        )}
        {details}
      </div>
    </li>
  )
}

function PhaseFigure({ phase: { flow, more } }: { phase: Phase }) {
  return (
    <p className={styles.figure}>
      <strong className={styles.count}>{flow ? formatCount(flow.count) : '–'}</strong>{' '}
      <span className={styles.unit}>{flow ? flow.unit : t.nothingYet}</span>
      {flow && more && (
        <span className={styles.more}>
          {formatCount(more.count)} {more.unit}
        </span>
      )}
    </p>
  )
}

const shownDrops = 3

/** What was removed in the phase, each with its reason. */
function PhaseDrops({ phase: { dropped, title } }: { phase: Phase }) {
  if (dropped.length === 0) return null
  const rest = dropped.slice(shownDrops).reduce((sum, [, n]) => sum + n, 0)
  return (
    <ul className={styles.drops} aria-label={t.droppedIn({ title })}>
      {dropped.slice(0, shownDrops).map(([reason, n]) => (
        <li key={reason}>
          <span className={styles.dropCount}>{`−${formatCount(n)}`}</span> {reasonWords(reason)}
        </li>
      ))}
      {rest > 0 && (
        <li>
          <span className={styles.dropCount}>{`−${formatCount(rest)}`}</span> {t.otherReasons}
        </li>
      )}
    </ul>
  )
}

interface StageRowProps {
  walk: Walk
  stage: Stage
  chosen: Stage | null
  next: Stage | null
  onChoose: (stage: Stage) => void
}

/** One stage by its name and its state; a press shows its details. */
function StageRow({ walk, stage, chosen, next, onChoose }: StageRowProps) {
  const isPart = stage.state === 'done' && stage.last_run !== null && isPartly(stage.last_run)
  const isStale = stalenessOf(walk, stage) !== null
  const isNext = next?.name === stage.name
  const sign = isStale ? 'alert' : signs[stage.state]
  return (
    <li>
      <Pressable
        className={cx(
          styles.stage,
          styles[stage.state],
          isPart && styles.partly,
          isStale && styles.stale,
          isNext && styles.next,
        )}
        aria-pressed={chosen?.name === stage.name}
        onPress={() => onChoose(stage)}
      >
        <span className={styles.dot}>{sign && <Icon name={sign} size={12} strokeWidth={2.6} />}</span>
        <span className={styles.name}>{stage.label}</span>
        <span className="visually-hidden">
          , {isStale ? t.outOfDate : isPart ? t.saidPartly : stateWords[stage.state]}
        </span>
      </Pressable>
      {stage.state === 'running' && stage.last_run && (
        <progress
          className={styles.progress}
          aria-label={t.progressOf({ label: stage.label })}
          {...(stage.last_run.total ? { value: stage.last_run.done, max: stage.last_run.total } : {})}
        />
      )}
    </li>
  )
}
