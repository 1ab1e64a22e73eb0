import { expect, test } from 'vitest'
import type { ActionSpec } from '@/lib/actions/action'
import { chooseKey } from './choose-key'

const spec = (id: string, name: string, keys: string[], scope = 'annotate'): ActionSpec => ({
  id,
  name,
  label: name,
  keys,
  scope,
})
const actions = [
  spec('judge.good', 'Judge the caption good', ['1', 'g']),
  spec('judge.bad', 'Judge the caption bad', ['2', 'b']),
  spec('photo.fit', 'Fit the photograph', [' ']),
  spec('help.open', 'Show the keys of this page', ['?'], 'global'),
]

test('a free key is given, in lower case', () => {
  expect(chooseKey(actions, {}, 'judge.good', 'X')).toEqual({ keys: { 'judge.good': 'x' } })
})

test.each([
  ['2', 'judge the caption bad'],
  ['B', 'judge the caption bad'],
  [' ', 'fit the photograph'],
  ['?', 'show the keys of this page'],
])('the key %j is refused because it means something already', (key, meaning) => {
  const choice = chooseKey(actions, {}, 'judge.good', key)
  expect(choice).toHaveProperty('refusal', expect.stringContaining(meaning))
})

test('a key that was given away is free again', () => {
  expect(chooseKey(actions, { 'judge.bad': 'x' }, 'judge.good', '2')).toEqual({
    keys: { 'judge.bad': 'x', 'judge.good': '2' },
  })
})

test('the usual key of a verb leaves no preference behind', () => {
  expect(chooseKey(actions, { 'judge.good': 'x' }, 'judge.good', '1')).toEqual({ keys: {} })
})

test('its own second key may become its first', () => {
  expect(chooseKey(actions, {}, 'judge.good', 'g')).toEqual({ keys: { 'judge.good': 'g' } })
})

test.each(['F5', 'Tab', 'Home', '\u0301'])('%j is no key to give', (key) => {
  expect(chooseKey(actions, {}, 'judge.good', key)).toHaveProperty(
    'refusal',
    expect.stringContaining('Choose a letter'),
  )
})
