import { expect, test } from 'vitest'
import { run, stage } from '@/testing/catalogue-data'
import { phasesOf } from './phases'

const counted = (name: string, dropped: Record<string, number>) =>
  run({ stage: name, counts: { in: 1000, out: 900, dropped } })

test('five phases tell how much there is, what was removed and how far each is', () => {
  const stages = [
    stage('import_images', { last_run: null, state: 'ready' }), // the images came over the API
    stage('import_candidates', { last_run: counted('import_candidates', { damaged: 2 }) }),
    stage('clean', { last_run: counted('clean', { too_short: 60, duplicate: 40, damaged: 1 }) }),
    stage('retrieve', { optional: true, last_run: counted('retrieve', { copy: 500 }) }),
    stage('build_hits'),
    stage('judge', { by_people: true, state: 'waiting', last_run: null }),
    stage('consensus', { state: 'ready', last_run: null }),
    stage('select', { state: 'empty', last_run: null }),
    stage('release', { state: 'empty', last_run: null }),
  ]
  const counters = { images: 100, candidates: 1000, kept: 900, hits: 90, judgments: 1350, slots: 200, slots_open: 50 }
  const phases = phasesOf({ counters, stages })
  expect(phases.map(({ name, state }) => [name, state])).toEqual([
    ['images', 'done'],
    ['captions', 'done'],
    ['judging', 'waiting'],
    ['selection', 'ready'],
    ['release', 'empty'],
  ])
  expect(phases.map(({ flow }) => flow?.count ?? null)).toEqual([100, 900, 1350, null, null])
  expect(phases[1]?.dropped).toEqual([
    ['too_short', 60],
    ['duplicate', 40],
    ['damaged', 3],
  ])
  expect(phases.map(({ from }) => from)).toEqual([100 / 900, 100 / 900, 1, 1, 0])
  expect(phases[2]?.share).toBe(0.75)
})
