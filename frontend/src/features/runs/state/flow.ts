import { plural } from '@/lib/format/numbers'
import type { Walk } from '@/lib/api/served'

interface Figure {
  gauge: string
  one: string
  many: string
}

/** What leaves each stage for the next one, by gauge of the project. */
const figures: Record<string, Figure> = {
  import_images: { gauge: 'images', one: 'photograph', many: 'photographs' },
  import_candidates: { gauge: 'candidates', one: 'caption', many: 'captions' },
  clean: { gauge: 'kept', one: 'caption kept', many: 'captions kept' },
  build_hits: { gauge: 'hits', one: 'HIT', many: 'HITs' },
  judge: { gauge: 'judgments', one: 'judgment', many: 'judgments' },
  consensus: { gauge: 'agreed_good', one: 'caption agreed good', many: 'captions agreed good' },
  select: { gauge: 'selected', one: 'photograph with its captions', many: 'photographs with their captions' },
  difficulty: { gauge: 'rated', one: 'caption rated', many: 'captions rated' },
  release: { gauge: 'releases', one: 'release', many: 'releases' },
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
  return open > 0 ? `${plural(open, 'place')} open for annotators.` : ''
}
