import { expect, test } from 'vitest'
import type { Stage, Walk } from '@/lib/api/served'
import { run, stage, walk } from '@/testing/catalogue-data'
import { nextStep, stalenessOf } from './next-step'

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
  scored.counters.new_candidates = 0
  expect(scored.stages.filter((stage) => stalenessOf(scored, stage))).toEqual([])
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
  now.counters.new_candidates = 0
  expect(nextStep(now)).toMatchObject({ stage: { name: 'build_hits' }, why: 'stale' })
  expect(now.stages.filter((stage) => stalenessOf(now, stage)).map(({ name }) => name)).toEqual(['build_hits'])
})

const namesOfStale = (now: Walk) => now.stages.filter((stage) => stalenessOf(now, stage)).map(({ name }) => name)

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
  now.counters = { images: 40, new_candidates: 0, new_corpora: 0 }
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
  now.counters.new_corpora = 1
  expect(namesOfStale(now)).toEqual(['embed_corpus'])
})

test('Embed corpus that failed is tried again while a corpus has no vector, and then no longer', () => {
  const now = retrieved('embed_corpus', early)
  now.stages = now.stages.map((stage) => (stage.name === 'embed_corpus' ? { ...stage, state: 'failed' } : stage))
  expect(nextStep(now)).toBeNull()
  now.counters.new_corpora = 1
  expect(nextStep(now)).toMatchObject({ stage: { name: 'embed_corpus' }, why: 'failed' })
})

test('a corpus that was embedded makes nothing else out of date, and nothing makes it so', () => {
  const now = walk({
    import_candidates: { ...finished, name: 'embed_corpus', optional: true, last_run: late },
    clean: { ...finished, last_run: early },
    build_hits: { ...finished, last_run: run({ started_at: '2026-01-05T10:30:00Z' }) },
  })
  now.counters.new_candidates = 0
  expect(now.stages.filter((stage) => stalenessOf(now, stage)).map(({ name }) => name)).toEqual([])
})

/** Captions, then Suggest edits, then tasks of which some are open. */
function suggested(withoutSuggestions: number, open: number) {
  const now = walk({
    import_candidates: { ...finished, last_run: late },
    clean: { ...finished, name: 'suggest_edits', optional: true, last_run: early },
    build_hits: { ...finished, last_run: run({ started_at: '2026-01-05T12:00:00Z' }) },
  })
  now.counters = { images: 40, without_suggestions: withoutSuggestions, hits: 40, slots: 80, slots_open: open }
  return now
}

test('Suggest edits is out of date while images have captions that it has not read, and says how many', () => {
  expect(namesOfStale(suggested(0, 80))).toEqual([])
  const now = suggested(16, 80)
  expect(now.stages.map((stage) => stalenessOf(now, stage))).toContainEqual({ unread: 16 })
  expect(nextStep(now)?.stage.name).not.toBe('suggest_edits') // the tasks are built: nobody is led back
})

test('once all tasks are done nobody is asked for suggestions', () => {
  expect(nextStep(suggested(16, 0))).toBeNull()
  expect(namesOfStale(suggested(16, 0))).toEqual([])
})

test.each(['make_controls', 'map_captions', 'evaluate'])('%s that ran later leaves the tasks as they are', (name) => {
  const now = walk({
    import_candidates: { ...finished, name, optional: true, on_purpose: true, last_run: late },
    clean: { ...finished, last_run: early },
    build_hits: { ...finished, last_run: run({ started_at: '2026-01-05T10:30:00Z' }) },
  })
  now.counters.new_candidates = 0
  expect(namesOfStale(now)).toEqual([])
})

test('nobody has to import what is there already, by the API say', () => {
  const now = walk({ import_candidates: { state: 'ready', last_run: null } })
  expect(nextStep(now)).toMatchObject({ stage: { name: 'clean' } })
  now.counters.candidates = 0
  expect(nextStep(now)).toMatchObject({ stage: { name: 'import_candidates' }, why: 'first' })
})

test('what makes a stage out of date is named', () => {
  const now = walk({
    clean: { ...finished, last_run: late },
    build_hits: { ...finished, last_run: run({ started_at: '2026-01-05T10:30:00Z' }) },
  })
  now.counters.new_candidates = 0
  const build = now.stages.find(({ name }) => name === 'build_hits')
  expect(build && stalenessOf(now, build)).toMatchObject({ by: { name: 'clean' } })
})

/** Everything is built, and people have work; Consensus has not run, or has. */
function handedOut(consensus: Partial<Stage>) {
  const now = walk({
    import_candidates: { ...finished, last_run: early },
    clean: { ...finished, name: 'judge', by_people: true, startable: false, state: 'waiting', last_run: null },
    build_hits: { ...finished, name: 'consensus', ...consensus },
  })
  now.counters = { images: 40, hits: 40, slots: 80, slots_open: 79, judgments: 10 }
  return now
}

test('while tasks are open people are wanted, unless the curator went on without them', () => {
  expect(nextStep(handedOut({ state: 'ready', last_run: null }))).toMatchObject({
    stage: { name: 'judge' },
    why: 'people',
  })
  expect(nextStep(handedOut({ state: 'done', last_run: late }))).toBeNull()
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
  drawn.counters.new_candidates = 0
  expect(drawn.stages.filter((stage) => stalenessOf(drawn, stage))).toEqual([])
})

test('a walk in which everything is done has no next step', () => {
  const now = walk({
    clean: { ...finished, last_run: late },
    build_hits: { ...finished, last_run: run({ started_at: '2026-01-05T12:00:00Z' }) },
  })
  now.counters.new_candidates = 0
  expect(nextStep(now)).toBeNull()
})

/** Cleaned, built and handed out; then the import ran again, or somebody added captions by hand. */
function builtThenAdded(imported: Stage['last_run']) {
  const now = walk({
    import_candidates: { ...finished, last_run: imported },
    clean: { ...finished, last_run: run({ started_at: '2026-01-05T10:00:00Z', finished_at: '2026-01-05T10:01:00Z' }) },
    build_hits: {
      ...finished,
      last_run: run({ started_at: '2026-01-05T10:30:00Z', finished_at: '2026-01-05T10:31:00Z' }),
    },
  })
  now.counters = { images: 40, candidates: 1200, new_candidates: 7, hits: 40 }
  return now
}

test('nobody is led back to a stage that is done, unless what came before it ran again', () => {
  const byHand = builtThenAdded(early)
  expect(namesOfStale(byHand)).toContain('clean')
  expect(nextStep(byHand)).toBeNull()
  expect(nextStep(builtThenAdded(late))).toMatchObject({ stage: { name: 'clean' }, why: 'stale' })
})

test('an optional stage is not proposed once the curator went on without it, or where it lacks a model', () => {
  const skipped = builtThenAdded(early)
  skipped.counters.new_candidates = 0
  const optional = { ...stage('suggest_edits'), state: 'ready', optional: true, last_run: null } as const
  skipped.stages = skipped.stages.flatMap((each) => (each.name === 'build_hits' ? [optional, each] : [each]))
  expect(nextStep(skipped)).toBeNull()
  const rate = { ...stage('difficulty'), state: 'ready', optional: true, last_run: null } as const
  const obstacle = { code: 'panel_uncalibrated', message: 'The models are not calibrated.', params: {} }
  const release = { ...stage('release'), state: 'ready', last_run: null } as const
  const now = { ...walk(), stages: [rate, release] }
  expect(nextStep(now)?.stage.name).toBe('difficulty')
  expect(nextStep({ ...now, stages: [{ ...rate, obstacle }, release] })?.stage.name).toBe('release')
})
test('answers that came after the consensus make it out of date, and it is run again once no task is open', () => {
  const now = handedOut({ state: 'done', last_run: late })
  now.counters.new_answers = 12
  expect(namesOfStale(now)).toEqual(['consensus'])
  expect(nextStep(now)).toBeNull()
  now.counters.slots_open = 0
  expect(nextStep(now)).toMatchObject({ stage: { name: 'consensus' }, why: 'stale' })
})
