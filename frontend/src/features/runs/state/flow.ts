import type { Walk } from '@/lib/api/served'
import { t } from '@/messages/runs'

interface Figure {
  counter: string
  one: string
  many: string
}

/** What leaves each stage for the next one, by counter of the project. */
const figures: Record<string, Figure> = {
  import_images: { counter: 'images', one: t.photographsOne, many: t.photographsMany },
  import_candidates: { counter: 'candidates', one: t.captionsOne, many: t.captionsMany },
  clean: { counter: 'kept', one: t.captionKept, many: t.captionsKept },
  build_hits: { counter: 'hits', one: t.hitsOne, many: t.hitsMany },
  judge: { counter: 'judgments', one: t.judgmentsOne, many: t.judgmentsMany },
  consensus: { counter: 'agreed_good', one: t.captionAgreed, many: t.captionsAgreed },
  select: { counter: 'selected', one: t.photographSelected, many: t.photographsSelected },
  difficulty: { counter: 'rated', one: t.captionRated, many: t.captionsRated },
  release: { counter: 'releases', one: t.releasesOne, many: t.releasesMany },
}

/** A project that compares images with queries has pairs in place of captions. */
const ofQueries: Record<string, Figure> = {
  ...figures,
  import_candidates: { counter: 'candidates', one: t.pairsOne, many: t.pairsMany },
  clean: { counter: 'kept', one: t.pairsOne, many: t.pairsMany },
  consensus: { counter: 'agreed_good', one: t.pairAgreed, many: t.pairsAgreed },
}

export interface Flow {
  count: number
  /** "captions kept" */
  unit: string
}

/** What flows out of a stage now; null where nothing does. */
export function flowOut({ stages, counters }: Walk, stageName: string): Flow | null {
  const isOfQueries = stages.some(({ name }) => name === 'import_queries')
  const figure = (isOfQueries ? ofQueries : figures)[stageName]
  const count = figure && counters[figure.counter]
  if (!figure || !count) return null
  return { count, unit: count === 1 ? figure.one : figure.many }
}

/** How many people's judgments are still missing, in words; empty when none is. */
export function slotsOpen(counters: Walk['counters']): string {
  const open = counters.slots_open ?? 0
  return open > 0 ? t.placesOpen({ open }) : ''
}
