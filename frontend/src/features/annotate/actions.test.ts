import { expect, test } from 'vitest'
import { assertNoSharedKeys } from '@/lib/actions/action'
import type { Label } from '@/lib/api/contract'
import { actionsInOrder } from './actions'

const keysOf = (options: Label[]) => Object.fromEntries(actionsInOrder(options).map(({ id, keys }) => [id, keys]))

test('letters stay with their labels, digits with the places', () => {
  const keys = keysOf(['unsure', 'good', 'bad'])
  expect([keys['judge.good'], keys['judge.bad'], keys['judge.unsure']]).toEqual([
    ['g', '2'],
    ['b', '3'],
    ['u', '1'],
  ])
})

test('the same order gives the same list, so that the page registers it once', () => {
  expect(actionsInOrder(['bad', 'good', 'unsure'])).toBe(actionsInOrder(['bad', 'good', 'unsure']))
})

test('no order gives a key to two verbs', () => {
  expect(() => assertNoSharedKeys(actionsInOrder(['bad', 'unsure', 'good']))).not.toThrow()
})
