import type { Stage, Walk } from '@/lib/api/served'

/** Why a stage is the next one: to start, to start again, or because people are wanted for it. */
export type Why = 'first' | 'failed' | 'stale' | 'people'

export interface NextStep {
  stage: Stage
  why: Why
}

/** Why a stage is out of date: what it has not seen yet, or the stage before it that ran later. */
export type Staleness = { unread: number } | { by: Stage }

/** What a stage has not seen yet, by the counters of the pipeline. */
const unread: Record<string, string> = {
  clean: 'new_candidates',
  embed_corpus: 'new_corpora',
  suggest_edits: 'without_suggestions',
}

/** What these stages build on is not everything before them. */
const builtOn: Record<string, readonly string[]> = {
  retrieve: ['import_images', 'embed_corpus'],
}

/**
 * Vectors of corpora, samples that nobody activated, test questions, suggestions, scores and reports leave the rest of
 * the pipeline as it is; what is built on them says so.
 */
const changesNothing = new Set([
  'embed_corpus',
  'sample',
  'polysemy',
  'diversity',
  'make_controls',
  'suggest_edits',
  'generic',
  'preview_policy',
  'settle',
])

/** What brings in the new is never out of date by itself. */
const bringsIn = (stage: Stage): boolean => stage.name.startsWith('import_') || stage.on_purpose

/** What the imports bring in, by counter: where it is there already, by the API or another stage, nobody has to import. */
const broughtIn: Record<string, string> = {
  import_images: 'images',
  import_candidates: 'candidates',
  import_queries: 'kept',
}

const isThere = ({ name, last_run }: Stage, counters: Walk['counters']): boolean =>
  last_run === null && (counters[broughtIn[name] ?? ''] ?? 0) > 0

/** Once every task is done, nobody sees suggestions any more. */
const isOfNoUse = (stage: Stage, { hits = 0, slots_open = 0 }: Walk['counters']): boolean =>
  stage.name === 'suggest_edits' && hits > 0 && slots_open === 0

const countUnread = (stage: Stage, counters: Walk['counters']): number =>
  isOfNoUse(stage, counters) ? 0 : (counters[unread[stage.name] ?? ''] ?? 0)

/** What makes a finished stage out of date; null where nothing does. */
export function stalenessOf({ stages, counters }: Walk, stage: Stage): Staleness | null {
  const began = stage.last_run?.started_at
  if (bringsIn(stage) || stage.state !== 'done' || !began) return null
  if (unread[stage.name]) {
    const n = countUnread(stage, counters)
    return n > 0 ? { unread: n } : null
  }
  const isBasis = (before: Stage) => builtOn[stage.name]?.includes(before.name) ?? !changesNothing.has(before.name)
  const by = stages
    .slice(0, stages.indexOf(stage))
    .find((before) => isBasis(before) && before.state === 'done' && (before.last_run?.finished_at ?? '') > began)
  return by ? { by } : null
}

/** People are asked for until the curator goes on without waiting for the rest of them. */
const waitsForPeople = (stage: Stage, later: readonly Stage[]): boolean =>
  stage.state === 'waiting' && later.every(({ last_run, on_purpose }) => on_purpose || last_run === null)

/**
 * The one stage to do now: the first along the line that failed, that has never run, that is older than what it builds
 * on, or that people are wanted for. An optional stage that failed is not insisted on unless something waits for it, and
 * one that can cost money is never proposed. Null while something runs and when the pipeline is complete.
 */
export function nextStep(walk: Walk): NextStep | null {
  const { stages, counters } = walk
  if (stages.some((stage) => stage.state === 'running')) return null
  for (const [index, stage] of stages.entries()) {
    if (stage.by_people && waitsForPeople(stage, stages.slice(index + 1))) return { stage, why: 'people' }
    if (!stage.startable || stage.on_purpose || (isOfNoUse(stage, counters) && stage.optional)) continue
    if (stage.state === 'failed' && (!stage.optional || countUnread(stage, counters) > 0)) return { stage, why: 'failed' }
    if (stage.state === 'ready' && !isThere(stage, counters)) return { stage, why: 'first' }
    if (stalenessOf(walk, stage)) return { stage, why: 'stale' }
  }
  return null
}
