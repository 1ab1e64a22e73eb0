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
  consensus: 'new_answers',
}

/** What these have not seen is all that makes them out of date. */
const isOfUnreadOnly = new Set(['clean', 'embed_corpus', 'suggest_edits'])

/** What these stages build on is not everything before them. */
const builtOn: Record<string, readonly string[]> = {
  retrieve: ['import_images', 'embed_corpus'],
}

/**
 * Vectors of corpora, samples that nobody activated, test questions, suggestions, scores, maps and reports leave the
 * rest of the pipeline as it is; what is built on them says so.
 */
const changesNothing = new Set([
  'embed_corpus',
  'sample',
  'polysemy',
  'diversity',
  'map_captions',
  'evaluate',
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

/** Whether nobody has to run it, because what it brings in is there. */
export const isThere = ({ name, last_run }: Stage, counters: Walk['counters']): boolean =>
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
  const n = countUnread(stage, counters)
  if (n > 0) return { unread: n }
  if (isOfUnreadOnly.has(stage.name)) return null
  const isBasis = (before: Stage) => builtOn[stage.name]?.includes(before.name) ?? !changesNothing.has(before.name)
  const by = stages
    .slice(0, stages.indexOf(stage))
    .find((before) => isBasis(before) && before.state === 'done' && (before.last_run?.finished_at ?? '') > began)
  return by ? { by } : null
}

const lastMoment = (moments: readonly (string | null | undefined)[]): string =>
  moments.reduce<string>((last, moment) => (moment && moment > last ? moment : last), '')

/** The stages behind this one on which others build. */
const buildersAfter = ({ stages }: Walk, stage: Stage): readonly Stage[] =>
  stages.slice(stages.indexOf(stage) + 1).filter(({ name, on_purpose }) => !on_purpose && !changesNothing.has(name))

/**
 * Whether a later stage ran since this one became out of date: nobody is led back then, and the stage says so itself.
 * Answers that came after the consensus are counted once all of them are there.
 */
function isLeftBehind(walk: Walk, stage: Stage, staleness: Staleness): boolean {
  if (stage.name === 'consensus' && 'unread' in staleness) return (walk.counters.slots_open ?? 0) > 0
  const later = buildersAfter(walk, stage)
  if (stage.optional && 'unread' in staleness) return later.some(({ last_run }) => last_run !== null)
  const before = walk.stages.slice(0, walk.stages.indexOf(stage))
  const since =
    'by' in staleness
      ? (staleness.by.last_run?.finished_at ?? '')
      : lastMoment(before.map(({ last_run }) => last_run?.finished_at))
  return later.some(({ last_run }) => (last_run?.started_at ?? '') > since)
}

/** An optional stage that nobody started is not proposed any more once a later stage has run. */
const isSkipped = (walk: Walk, stage: Stage): boolean =>
  stage.optional && buildersAfter(walk, stage).some(({ last_run }) => last_run !== null)

/** People are asked for until the curator goes on without waiting for the rest of them. */
const waitsForPeople = (stage: Stage, later: readonly Stage[]): boolean =>
  stage.state === 'waiting' && later.every(({ last_run, on_purpose }) => on_purpose || last_run === null)

/**
 * The one stage to do now: the first along the line that failed, that has never run, that is older than what it builds
 * on, or that people are wanted for. It never leads back behind a stage that ran since. An optional stage is not
 * insisted on: one that failed only while something waits for it, and one that lacks something on this site not at all.
 * One that can cost money is never proposed. Null while something runs and when the pipeline is complete.
 */
export function nextStep(walk: Walk): NextStep | null {
  const { stages, counters } = walk
  if (stages.some((stage) => stage.state === 'running')) return null
  for (const [index, stage] of stages.entries()) {
    if (stage.by_people && waitsForPeople(stage, stages.slice(index + 1))) return { stage, why: 'people' }
    if (!stage.startable || stage.on_purpose) continue
    if (stage.optional && (stage.obstacle || isOfNoUse(stage, counters))) continue
    if (stage.state === 'failed' && (!stage.optional || countUnread(stage, counters) > 0))
      return { stage, why: 'failed' }
    if (stage.state === 'ready' && !isThere(stage, counters) && !isSkipped(walk, stage)) return { stage, why: 'first' }
    const staleness = stalenessOf(walk, stage)
    if (staleness && !isLeftBehind(walk, stage, staleness)) return { stage, why: 'stale' }
  }
  return null
}

/** Whether the pipeline has come to a release and nothing is left to do. */
export const isComplete = (walk: Walk): boolean =>
  walk.stages.some(({ name, state }) => name === 'release' && state === 'done') && nextStep(walk) === null
