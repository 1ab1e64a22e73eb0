import type { Stage, Walk } from '@/lib/api/served'

/** Why a stage is the next one to start. */
export type Why = 'first' | 'failed' | 'stale'

export interface NextStep {
  stage: Stage
  why: Why
}

/** What a stage has not seen yet, by the walk's own gauges. */
const unread: Record<string, string> = { clean: 'new_candidates', embed_corpus: 'new_corpora' }

/** What these stages build on is not everything before them. */
const builtOn: Record<string, readonly string[]> = {
  retrieve: ['import_images', 'embed_corpus'],
}

/**
 * Vectors of corpora, samples that nobody put in force, suggestions, scores and reports leave the rest of the walk as it is;
 * what is built on them says so.
 */
const changesNothing = new Set(['embed_corpus', 'sample', 'polysemy', 'suggest_edits', 'generic'])

/** What brings in the new is never out of date by itself. */
const bringsIn = (stage: Stage): boolean => stage.name.startsWith('import_') || stage.on_purpose

const hasUnread = ({ name }: Stage, gauges: Walk['gauges']): boolean => (gauges[unread[name] ?? ''] ?? 0) > 0

/** A stage that ran before something it builds on changed no longer tells the truth. */
function isStale(stage: Stage, earlier: readonly Stage[], gauges: Walk['gauges']): boolean {
  const began = stage.last_run?.started_at
  if (stage.state !== 'done' || !began) return false
  if (unread[stage.name]) return hasUnread(stage, gauges)
  const isBasis = (before: Stage) => builtOn[stage.name]?.includes(before.name) ?? !changesNothing.has(before.name)
  return earlier.some(
    (before) => isBasis(before) && before.state === 'done' && (before.last_run?.finished_at ?? '') > began,
  )
}

/**
 * The one stage to start now: the first along the line that failed, that has never run, or that is older than what
 * it builds on. An optional stage that failed is not insisted on unless something waits for it, and one that can cost
 * money is never proposed. Null while something runs and when the walk is complete.
 */
export function nextStep({ stages, gauges }: Walk): NextStep | null {
  if (stages.some((stage) => stage.state === 'running')) return null
  for (const [index, stage] of stages.entries()) {
    if (!stage.startable || stage.on_purpose) continue
    if (stage.state === 'failed' && (!stage.optional || hasUnread(stage, gauges))) return { stage, why: 'failed' }
    if (stage.state === 'ready') return { stage, why: 'first' }
    if (!bringsIn(stage) && isStale(stage, stages.slice(0, index), gauges)) return { stage, why: 'stale' }
  }
  return null
}

export const isStageStale = (walk: Walk, stage: Stage): boolean =>
  !bringsIn(stage) && isStale(stage, walk.stages.slice(0, walk.stages.indexOf(stage)), walk.gauges)
