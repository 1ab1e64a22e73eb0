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

test('where photographs are judged no verb speaks of captions, and none repairs them', () => {
  const verbs = actionsInOrder(['good', 'bad', 'unsure'], { isCaption: false })
  expect(verbs.map(({ name }) => name).filter((name) => /caption/i.test(name))).toEqual([])
  expect(verbs.map(({ id }) => id)).not.toContain('caption.edit')
  expect(verbs.slice(0, 2).map(({ label }) => label)).toEqual(['Relevant', 'Irrelevant'])
})

test('only what was sent before is left as it was, and only what was not is skipped', () => {
  const ids = (isRevision: boolean) => actionsInOrder(['good', 'bad', 'unsure'], { isRevision }).map(({ id }) => id)
  expect([ids(true).includes('hit.leave'), ids(true).includes('hit.skip')]).toEqual([true, false])
  expect([ids(false).includes('hit.leave'), ids(false).includes('hit.skip')]).toEqual([false, true])
})
