import type { Me, Project } from '@/lib/api/contract'
import type { CatalogueImage, Run, Stage, StageParameter, Walk } from '@/lib/api/served'
import { bob, harbour } from './data'

export const alice: Me = { ...bob, id: 1, username: 'alice', display_name: 'Alice', is_staff: true }

/** The same project as alice sees it, who runs it. */
export const curated: Project = { ...harbour, role: 'curator' }

export function image(id: number): CatalogueImage {
  const width = 400 + ((id * 37) % 500)
  const thumbnail = { url: `/media/${id}.webp`, width, height: 300 }
  return {
    id,
    key: `photo-${id}`,
    digest: 'a'.repeat(64),
    width,
    height: 300,
    format: 'JPEG',
    licence: { code: 'CC-BY-4.0', name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
    author: 'A photographer',
    title: `Harbour ${id}`,
    source_url: '',
    attribution: '',
    thumbnail: { small: thumbnail, large: thumbnail },
    created_at: '2026-01-05T10:00:00Z',
  }
}

export const images = (first: number, count: number): CatalogueImage[] =>
  Array.from({ length: count }, (_, offset) => image(first + offset))

export function run(changes: Partial<Run> = {}): Run {
  return {
    id: '22222222-2222-4222-8222-222222222222',
    stage: 'clean',
    status: 'succeeded',
    parameters: { min_words: 3 },
    seed: 0,
    code_version: 'abc',
    models: {},
    counts: { in: 100, out: 88, dropped: { too_short: 9, duplicate: 3 } },
    done: 100,
    total: 100,
    log_tail: [],
    error: null,
    attempt: 1,
    started_by: 'Alice',
    created_at: '2026-01-05T10:00:00Z',
    started_at: '2026-01-05T10:00:00Z',
    finished_at: '2026-01-05T10:00:41Z',
    n_refused: 0,
    cancel_requested: false,
    ...changes,
  }
}

export const parameter = (name: string, changes: Partial<StageParameter> = {}): StageParameter => ({
  name,
  kind: 'str',
  default: '',
  label: name,
  help: '',
  unit: '',
  scale: 1,
  out_of: null,
  minimum: 0,
  maximum: 2 ** 53,
  advanced: false,
  choices: [],
  ...changes,
})

const phases: Record<string, Stage['phase']> = {
  import_images: 'images',
  build_hits: 'judging',
  judge: 'judging',
  consensus: 'selection',
  select: 'selection',
  release: 'release',
}

export function stage(name: string, changes: Partial<Stage> = {}): Stage {
  return {
    name,
    phase: phases[name] ?? 'captions',
    label: name,
    explanation: `What ${name} does.`,
    queue: 'cpu',
    by_people: false,
    optional: false,
    on_purpose: false,
    parameters: [],
    state: 'done',
    startable: true,
    why_not: '',
    why_not_code: '',
    warning: null,
    obstacle: null,
    lacks_worker: false,
    last_run: run({ stage: name }),
    ...changes,
  }
}

export const sources = [parameter('source'), parameter('upload')]
export const layout = parameter('layout', { default: 'auto', choices: ['auto', 'table', 'coco'] })
const shortest = { label: 'Shortest caption', help: 'Shorter captions are removed.', unit: 'words', maximum: 50 }

/** Photographs are in, captions are in, Clean has never run. */
export function walk(changes: Record<string, Partial<Stage>> = {}): Walk {
  const stages = [
    stage('import_images', { label: 'Import images', parameters: [...sources, layout] }),
    stage('import_candidates', { label: 'Import captions', parameters: [...sources, layout] }),
    stage('clean', {
      label: 'Clean',
      state: 'ready',
      last_run: null,
      parameters: [parameter('min_words', { kind: 'int', default: 3, ...shortest })],
    }),
    stage('build_hits', {
      label: 'Build HITs',
      state: 'empty',
      startable: false,
      why_not: 'Clean the captions first.',
      why_not_code: 'stage_select_why_not',
      last_run: null,
    }),
  ]
  return {
    counters: { images: 40, candidates: 1200, new_candidates: 1200 },
    stages: stages.map((each) => ({ ...each, ...changes[each.name] })),
  }
}
