import type { LinkProps } from '@tanstack/react-router'
import { t as pages } from '@/messages/shell'

/** The page of a project that shows what a stage makes. */
export interface Result {
  to: NonNullable<LinkProps['to']>
  page: string
  search?: Record<string, string>
}

const gallery: Result = { to: '/projects/$slug/images', page: pages.gallery }
const cleaning: Result = { to: '/projects/$slug/cleaning', page: pages.cleaning }
const quality = (tab: string): Result => ({ to: '/projects/$slug/quality', page: pages.quality, search: { tab } })

/** Stages that only prepare others have no page of their own. */
const results: Partial<Record<string, Result>> = {
  import_images: gallery,
  import_candidates: gallery,
  import_queries: gallery,
  sample: { to: '/projects/$slug/explore', page: pages.explore },
  embed_corpus: { to: '/projects/$slug/corpora', page: pages.corpora },
  retrieve: gallery,
  web_titles: gallery,
  polysemy: { to: '/projects/$slug/polysemy', page: pages.polysemy },
  clean: cleaning,
  generic: cleaning,
  make_controls: quality('controls'),
  preview_policy: quality('policy'),
  apply_policy: quality('policy'),
  build_hits: { to: '/projects/$slug/annotate', page: pages.annotate },
  consensus: { to: '/projects/$slug/overview', page: pages.overview },
  select: { to: '/projects/$slug/selection', page: pages.selection },
  calibrate: { to: '/projects/$slug/models', page: pages.models },
  difficulty: { to: '/projects/$slug/difficulty', page: pages.difficulty },
  map_captions: { to: '/projects/$slug/map', page: pages.map },
  diversity: { to: '/projects/$slug/diversity', page: pages.diversity },
  release: { to: '/projects/$slug/releases', page: pages.releases },
  evaluate: { to: '/projects/$slug/benchmarks', page: pages.benchmarks },
}

export const resultOf = (stage: string): Result | undefined => results[stage]
