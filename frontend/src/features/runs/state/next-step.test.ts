import { expect, test } from 'vitest'
import type { Stage, Walk } from '@/lib/api/served'
import { run, walk } from '@/testing/catalogue-data'
import { isStageStale, nextStep } from './next-step'

const finished = { state: 'done', startable: true, why_not: '' } as const
const early = run({ started_at: '2026-01-05T09:00:00Z', finished_at: '2026-01-05T09:01:00Z' })
const late = run({ started_at: '2026-01-05T11:00:00Z', finished_at: '2026-01-05T11:01:00Z' })

test('the first stage that never ran is next', () => {
  expect(nextStep(walk())).toMatchObject({ stage: { name: 'clean' }, why: 'first' })
})

test('a failed stage comes before everything after it', () => {
  expect(nextStep(walk({ import_candidates: { state: 'failed' } }))).toMatchObject({
    stage: { name: 'import_candidates' },
    why: 'failed',
  })
})

test('an optional stage that failed is not insisted on', () => {
  const now = walk({ import_candidates: { state: 'failed', optional: true } })
  expect(nextStep(now)).toMatchObject({ stage: { name: 'clean' }, why: 'first' })
})

test('what sends pictures away and can cost money is never proposed', () => {
  const now = walk({
    import_candidates: { name: 'web_titles', state: 'ready', optional: true, on_purpose: true, last_run: null },
  })
  expect(nextStep(now)).toMatchObject({ stage: { name: 'clean' }, why: 'first' })
})

test('scores of generic captions ask seven models, so the curator thinks of them; they make nothing out of date', () => {
  const ready = walk({
    import_candidates: { name: 'generic', state: 'ready', optional: true, on_purpose: true, last_run: null },
  })
  expect(nextStep(ready)?.stage.name).toBe('clean')
  const scored = walk({
    import_candidates: { ...finished, name: 'generic', optional: true, on_purpose: true, last_run: late },
    clean: { ...finished, last_run: early },
    build_hits: { ...finished, last_run: run({ started_at: '2026-01-05T10:30:00Z' }) },
  })
  scored.gauges.new_candidates = 0
  expect(scored.stages.filter((stage) => isStageStale(scored, stage))).toEqual([])
})

test('nothing is next while a stage runs', () => {
  expect(nextStep(walk({ import_images: { state: 'running', startable: false } }))).toBeNull()
})

test('Clean is out of date while there are captions it has not seen', () => {
  const now = walk({ clean: { ...finished, last_run: late } })
  expect(nextStep(now)).toMatchObject({ stage: { name: 'clean' }, why: 'stale' })
})

test('a stage older than what it builds on is run again, the imports are not', () => {
  const now = walk({ clean: { ...finished, last_run: late }, build_hits: { ...finished, last_run: early } })
  now.gauges.new_candidates = 0
  expect(nextStep(now)).toMatchObject({ stage: { name: 'build_hits' }, why: 'stale' })
  expect(now.stages.filter((stage) => isStageStale(now, stage)).map(({ name }) => name)).toEqual(['build_hits'])
})

const namesOfStale = (now: Walk) => now.stages.filter((stage) => isStageStale(now, stage)).map(({ name }) => name)

/** Photographs, then a corpus with its vectors, then captions borrowed from it. */
function retrieved(before: string, lastRun: Stage['last_run']) {
  const now = walk({
    import_candidates: { ...finished, name: before, optional: true, last_run: lastRun },
    clean: {
      ...finished,
      name: 'retrieve',
      optional: true,
      last_run: run({ started_at: '2026-01-05T10:30:00Z', finished_at: '2026-01-05T10:31:00Z' }),
    },
  })
  now.gauges = { images: 40, new_candidates: 0, new_corpora: 0 }
  return now
}

test('Retrieve is out of date once another corpus was embedded, and not by captions that were imported', () => {
  expect(namesOfStale(retrieved('embed_corpus', early))).toEqual([])
  expect(namesOfStale(retrieved('import_candidates', late))).toEqual([])
  const now = retrieved('embed_corpus', late)
  expect(namesOfStale(now)).toEqual(['retrieve'])
  expect(nextStep(now)).toMatchObject({ stage: { name: 'retrieve' }, why: 'stale' })
})

test('Embed corpus is out of date while a corpus has no vector', () => {
  const now = retrieved('embed_corpus', early)
  now.gauges.new_corpora = 1
  expect(nextStep(now)).toMatchObject({ stage: { name: 'embed_corpus' }, why: 'stale' })
})

test('Embed corpus that failed is tried again while a corpus has no vector, and then no longer', () => {
  const now = retrieved('embed_corpus', early)
  now.stages = now.stages.map((stage) => (stage.name === 'embed_corpus' ? { ...stage, state: 'failed' } : stage))
  expect(nextStep(now)).toBeNull()
  now.gauges.new_corpora = 1
  expect(nextStep(now)).toMatchObject({ stage: { name: 'embed_corpus' }, why: 'failed' })
})

test('a corpus that was embedded makes nothing else out of date, and nothing makes it so', () => {
  const now = walk({
    import_candidates: { ...finished, name: 'embed_corpus', optional: true, last_run: late },
    clean: { ...finished, last_run: early },
    build_hits: { ...finished, last_run: run({ started_at: '2026-01-05T10:30:00Z' }) },
  })
  now.gauges.new_candidates = 0
  expect(now.stages.filter((stage) => isStageStale(now, stage)).map(({ name }) => name)).toEqual([])
})

test('suggestions stand beside captions: found later than the HITs were built, they make these no older', () => {
  const stages = (suggested: Partial<Stage>) =>
    walk({
      import_candidates: finished,
      clean: { ...finished, name: 'suggest_edits', optional: true, last_run: late, ...suggested },
      build_hits: { ...finished, last_run: run({ started_at: '2026-01-05T10:30:00Z' }) },
    })
  const staleIn = (now: Walk) => now.stages.filter((stage) => isStageStale(now, stage)).map(({ name }) => name)
  expect(staleIn(stages({}))).toEqual([])
  const old = run({ started_at: '2026-01-05T08:00:00Z', finished_at: '2026-01-05T08:10:00Z' })
  expect(staleIn(stages({ last_run: old }))).toEqual(['suggest_edits'])
})

test('a sample narrows the project, so the curator thinks of it; drawn, it makes nothing out of date', () => {
  const ready = walk({
    import_candidates: { name: 'sample', state: 'ready', optional: true, on_purpose: true, last_run: null },
  })
  expect(nextStep(ready)?.stage.name).toBe('clean')
  const drawn = walk({
    import_candidates: { ...finished, name: 'sample', optional: true, on_purpose: true, last_run: late },
    clean: { ...finished, last_run: early },
    build_hits: { ...finished, last_run: run({ started_at: '2026-01-05T10:30:00Z' }) },
  })
  drawn.gauges.new_candidates = 0
  expect(drawn.stages.filter((stage) => isStageStale(drawn, stage))).toEqual([])
})

test('a walk in which everything is done has no next step', () => {
  const now = walk({
    clean: { ...finished, last_run: late },
    build_hits: { ...finished, last_run: run({ started_at: '2026-01-05T12:00:00Z' }) },
  })
  now.gauges.new_candidates = 0
  expect(nextStep(now)).toBeNull()
})
