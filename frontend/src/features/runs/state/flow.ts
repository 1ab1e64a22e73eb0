import type { Walk } from '@/lib/api/served'
import { t } from '@/messages/runs'

interface Figure {
  gauge: string
  one: string
  many: string
}

/** What leaves each stage for the next one, by gauge of the project. */
const figures: Record<string, Figure> = {
  import_images: { gauge: 'images', one: t.photographsOne, many: t.photographsMany },
  import_candidates: { gauge: 'candidates', one: t.captionsOne, many: t.captionsMany },
  clean: { gauge: 'kept', one: t.captionKept, many: t.captionsKept },
  build_hits: { gauge: 'hits', one: t.hitsOne, many: t.hitsMany },
  judge: { gauge: 'judgments', one: t.judgmentsOne, many: t.judgmentsMany },
  consensus: { gauge: 'agreed_good', one: t.captionAgreed, many: t.captionsAgreed },
  select: { gauge: 'selected', one: t.photographSelected, many: t.photographsSelected },
  difficulty: { gauge: 'rated', one: t.captionRated, many: t.captionsRated },
  release: { gauge: 'releases', one: t.releasesOne, many: t.releasesMany },
}

export interface Flow {
  count: number
  /** "captions kept" */
  unit: string
}

/** What flows out of a stage now; null where nothing does. */
export function flowOut(gauges: Walk['gauges'], stageName: string): Flow | null {
  const figure = figures[stageName]
  const count = figure && gauges[figure.gauge]
  if (!figure || !count) return null
  return { count, unit: count === 1 ? figure.one : figure.many }
}

/** How many people's judgments are still missing, in words; empty when none is. */
export function placesOpen(gauges: Walk['gauges']): string {
  const open = gauges.places_open ?? 0
  return open > 0 ? t.placesOpen({ open }) : ''
}
