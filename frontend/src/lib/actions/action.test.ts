import { expect, test } from 'vitest'
import { type ActionSpec, assertNoSharedKeys, SharedKeyError, withPreferredKeys } from './action'

const action = (id: string, keys: string[], scope = 'annotate'): ActionSpec => ({
  id,
  name: id,
  label: id,
  keys,
  scope,
})

test('two actions of one page may not own the same key', () => {
  expect(() => assertNoSharedKeys([action('judge.good', ['g']), action('photo.grow', ['g'])])).toThrow(SharedKeyError)
})

test('a global key may not be taken by a page', () => {
  expect(() => assertNoSharedKeys([action('help.open', ['?'], 'global'), action('judge.unsure', ['?'])])).toThrow(
    'The key "?" belongs to both "help.open" and "judge.unsure".',
  )
})

test('two pages may use the same key, since they are never open together', () => {
  expect(() => assertNoSharedKeys([action('a', ['g'], 'annotate'), action('b', ['g'], 'gallery')])).not.toThrow()
})

test('a chosen key replaces the first key and keeps the fixed letter', () => {
  const [good] = withPreferredKeys([action('judge.good', ['1', 'g'])], { 'judge.good': '7' })
  expect(good?.keys).toEqual(['7', 'g'])
})

test('a chosen key is taken away from whoever had it', () => {
  const keys = withPreferredKeys([action('judge.good', ['1', 'g']), action('judge.undo', ['z'])], { 'judge.undo': 'G' })
  expect(keys.map((each) => each.keys)).toEqual([['1'], ['g']])
})

test('swapped keys do not clash', () => {
  const preferred = { 'judge.good': '2', 'judge.bad': '1' }
  const swapped = withPreferredKeys([action('judge.good', ['1', 'g']), action('judge.bad', ['2', 'b'])], preferred)
  expect(() => assertNoSharedKeys(swapped)).not.toThrow()
  expect(swapped.map((each) => each.keys[0])).toEqual(['2', '1'])
})

test('the space bar is named Space in preferences', () => {
  expect(withPreferredKeys([action('hit.submit', ['Enter'])], { 'hit.submit': 'Space' })[0]?.keys).toEqual([' '])
})
