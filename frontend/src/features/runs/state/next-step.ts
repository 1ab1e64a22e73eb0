import type { Stage, Walk } from '@/lib/api/served'

/** Why a stage is the next one to start. */
export type Why = 'first' | 'failed' | 'stale'

export interface NextStep {
  stage: Stage
  why: Why
}

/** The new captions that Clean has not seen, by the walk's own gauge. */
const unread: Record<string, string> = { clean: 'new_candidates' }

/** A stage that ran before something earlier on the line changed no longer tells the truth. */
function isStale(stage: Stage, earlier: readonly Stage[], gauges: Walk['gauges']): boolean {
  const began = stage.last_run?.started_at
  if (stage.state !== 'done' || !began) return false
  const gauge = unread[stage.name]
  if (gauge) return (gauges[gauge] ?? 0) > 0
  return earlier.some(
    (before) => !aside.has(before.name) && before.state === 'done' && (before.last_run?.finished_at ?? '') > began,
  )
}

/**
 * Embedding works on corpora alone, which no other stage changes, and a sample changes nothing before a curator puts it
 * in force: neither is out of date by other stages, nor they by it.
 */
const aside = new Set(['embed_corpus', 'sample'])

/** Sends pictures away and can cost money, or narrows the project: the curator thinks of it, the walk does not. */
const onPurpose = new Set(['web_titles', 'sample'])

/** What brings in the new is never out of date by itself. */
const bringsIn = (stage: Stage): boolean =>
  stage.name.startsWith('import_') || onPurpose.has(stage.name) || aside.has(stage.name)

/**
 * The one stage to start now: the first along the line that failed, that has never run, or that is older than what
 * it builds on. An optional stage that failed is not insisted on, and one that can cost money is never proposed. Null
 * while something runs and when the walk is complete.
 */
export function nextStep({ stages, gauges }: Walk): NextStep | null {
  if (stages.some((stage) => stage.state === 'running')) return null
  for (const [index, stage] of stages.entries()) {
    if (!stage.startable || onPurpose.has(stage.name)) continue
    if (stage.state === 'failed' && !stage.optional) return { stage, why: 'failed' }
    if (stage.state === 'ready') return { stage, why: 'first' }
    if (!bringsIn(stage) && isStale(stage, stages.slice(0, index), gauges)) return { stage, why: 'stale' }
  }
  return null
}

export const isStageStale = (walk: Walk, stage: Stage): boolean =>
  !bringsIn(stage) && isStale(stage, walk.stages.slice(0, walk.stages.indexOf(stage)), walk.gauges)
