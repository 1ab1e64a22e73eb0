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
  spec('judge.good', 'Judge the caption as good', ['1', 'g']),
  spec('judge.bad', 'Judge the caption as bad', ['2', 'b']),
  spec('photo.fit', 'Fit the image to the window', [' ']),
  spec('help.open', 'Show the shortcuts of this page', ['?'], 'global'),
]

const elsewhere = [...actions, spec('pool.add', 'Add a caption', ['a'], 'pool')]

test('a free key is given, and one that means something on another page only', () => {
  expect(chooseKey(actions, {}, 'judge.good', ['x'])).toEqual({ keys: { 'judge.good': 'x' } })
  expect(chooseKey(elsewhere, {}, 'judge.good', ['a'])).toEqual({ keys: { 'judge.good': 'a' } })
})

test.each([
  ['2', 'judge the caption as bad'],
  ['b', 'judge the caption as bad'],
  [' ', 'fit the image to the window'],
  ['?', 'show the shortcuts of this page'],
])('the key %j is refused because it means something already', (key, meaning) => {
  const choice = chooseKey(actions, {}, 'judge.good', [key])
  expect(choice).toHaveProperty('refusal', expect.stringContaining(meaning))
})

test('a key that every page has may not be that of a page', () => {
  expect(chooseKey(elsewhere, {}, 'help.open', ['a'])).toHaveProperty('refusal', expect.stringContaining('a caption'))
})

test('a key that was given away is free again', () => {
  expect(chooseKey(actions, { 'photo.fit': 'x' }, 'judge.good', [' '])).toEqual({
    keys: { 'photo.fit': 'x', 'judge.good': 'Space' },
  })
})

test('the usual key of a verb leaves no preference behind', () => {
  expect(chooseKey(actions, { 'judge.good': 'x' }, 'judge.good', ['1'])).toEqual({ keys: {} })
})

test('its own second key may become its first', () => {
  expect(chooseKey(actions, {}, 'judge.good', ['g'])).toEqual({ keys: { 'judge.good': 'g' } })
})

test('a press that is another verb by its digit is refused too', () => {
  expect(chooseKey(actions, {}, 'judge.good', ['é', '2'])).toHaveProperty('refusal', expect.stringContaining('bad'))
})

test.each(['Tab', 'Escape', 'Mod+w'])('%j stays with the browser', (key) => {
  expect(chooseKey(actions, {}, 'judge.good', [key])).toHaveProperty('refusal', expect.stringContaining('The browser'))
})

test.each(['F5', 'Home', '\u0301'])('%j is no key to give', (key) => {
  expect(chooseKey(actions, {}, 'judge.good', [key])).toHaveProperty(
    'refusal',
    expect.stringContaining('Choose a letter'),
  )
})
