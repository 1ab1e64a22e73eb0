import type { Stage, Walk } from '@/lib/api/served'
import { t } from '@/messages/runs'
import { type Flow, flowOut } from './flow'
import { isThere } from './next-step'
import { readCounts } from './run-counts'

export type PhaseName = Stage['phase']
export type PhaseState = Stage['state']

export interface Phase {
  name: PhaseName
  title: string
  state: PhaseState
  /** What leaves it, in the figure that stands on the band. */
  flow: Flow | null
  /** A second figure under the first one. */
  more: Flow | null
  /** What was removed in it by reason, the commonest first. */
  dropped: readonly (readonly [string, number])[]
  stages: readonly Stage[]
  /** How wide the band comes in and goes out, from 0 to 1, and how much of it is done. */
  from: number
  to: number
  lost: number
  share: number
}

const titles: Record<PhaseName, string> = {
  images: t.phaseImages,
  captions: t.phaseCaptions,
  judging: t.phaseJudging,
  selection: t.phaseSelection,
  release: t.phaseRelease,
}
const order = Object.keys(titles) as PhaseName[]

/** The stages whose outcome is told as the figure of a phase: the first of them that has one. */
const told: Record<PhaseName, readonly string[]> = {
  images: ['import_images'],
  captions: ['clean', 'import_candidates'],
  judging: ['judge', 'build_hits'],
  selection: ['consensus'],
  release: ['release'],
}
const toldBelow: Partial<Record<PhaseName, string>> = { judging: 'build_hits', selection: 'select' }

const firstOf = <Value>(values: readonly (Value | null)[]): Value | null =>
  values.find((value) => value !== null) ?? null

/** The pipeline in its five parts, in order; a part without a stage in this project is left out. */
export function phasesOf(walk: Walk): Phase[] {
  const present = order.filter((name) => walk.stages.some(({ phase }) => phase === name))
  const widths = widthsOf(walk.counters)
  const widest = Math.max(1, ...present.map((name) => widths[name]))
  return present.map((name, at) => {
    const stages = walk.stages.filter(({ phase }) => phase === name)
    const dropped = droppedIn(stages)
    const before = present[at - 1]
    const flow = firstOf(told[name].map((each) => flowOut(walk, each)))
    const below = toldBelow[name] ? flowOut(walk, toldBelow[name]) : null
    return {
      name,
      title: titles[name],
      state: stateOf(stages, walk.counters),
      flow,
      more: below?.unit === flow?.unit ? null : below,
      dropped,
      stages,
      from: (before ? widths[before] : widths[name]) / widest,
      to: widths[name] / widest,
      lost: dropped.reduce((sum, [, n]) => sum + n, 0) / widest,
      share: name === 'judging' ? shareDone(walk.counters) : 1,
    }
  })
}

/** How wide the band is behind each phase: images at first, then captions, at the end the images of the release. */
function widthsOf(counters: Walk['counters']): Record<PhaseName, number> {
  const { images = 0, candidates = 0, kept = 0, hits = 0, agreed_good: good = 0, selected = 0, releases = 0 } = counters
  return {
    images,
    captions: kept || candidates,
    judging: hits > 0 ? kept || candidates : 0,
    selection: good,
    release: releases > 0 ? selected : 0,
  }
}

function shareDone({ slots = 0, slots_open: open = 0 }: Walk['counters']): number {
  return slots > 0 ? (slots - open) / slots : 0
}

function droppedIn(stages: readonly Stage[]): (readonly [string, number])[] {
  const sums = new Map<string, number>()
  for (const { optional, last_run: run } of stages) {
    if (!run || optional) continue
    for (const [reason, n] of readCounts(run).dropped) sums.set(reason, (sums.get(reason) ?? 0) + n)
  }
  return [...sums].sort(([, a], [, b]) => b - a)
}

function stateOf(stages: readonly Stage[], counters: Walk['counters']): PhaseState {
  const needed = stages.filter(({ optional }) => !optional)
  const is = (state: PhaseState) => needed.some((stage) => stage.state === state)
  if (stages.some(({ state }) => state === 'running')) return 'running'
  if (is('failed')) return 'failed'
  if (is('waiting')) return 'waiting'
  if (needed.every((stage) => stage.state === 'done' || isThere(stage, counters))) return 'done'
  return is('ready') || is('done') ? 'ready' : 'empty'
}
