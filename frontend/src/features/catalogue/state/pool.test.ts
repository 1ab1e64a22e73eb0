import { expect, test } from 'vitest'
import type { Votes } from '@/lib/api/served'
import { candidate as caption } from '@/testing/candidate-data'
import { entropyOf, poolOf } from './pool'

test('kept captions come by how divided their answers are, and without answers as they came', () => {
  const votes = [[1, 3, 0, 0], [2, 2, 2, 0], [3, 1, 1, 1], [5, 0, 3, 1]].map(
    ([candidate, n_good, n_bad, n_unsure]) => ({ candidate, n_good, n_bad, n_unsure }) as Votes,
  )
  const pool = poolOf([1, 2, 3, 4, 5, 6].map((id) => caption(id)), votes, undefined)
  expect(pool.kept.map(({ candidate }) => candidate.id)).toEqual([3, 2, 5, 1, 4, 6])
  expect(entropyOf(votes[1])).toBe(1)
})
