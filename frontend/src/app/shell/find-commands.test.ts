import { expect, test } from 'vitest'
import type { Action } from '@/lib/actions/action'
import { closeness, findCommands, noteRecent, readRecent } from './find-commands'

const action = (name: string): Action => ({
  id: name,
  name,
  label: name,
  keys: [],
  scope: 'global',
  perform: () => null,
})
const actions = ['Judge the caption as good', 'Judge the caption as bad', 'Go to Releases', 'Öffne dein Profil'].map(
  action,
)
const found = (typed: string, recent: string[] = []) => findCommands(actions, typed, recent).map(({ name }) => name)

test.each([
  ['judge', 0],
  ['caption', 1],
  ['aptio', 2],
  ['jcg', 3],
  ['capbad', null],
])('%j is found in “Judge the caption as good” as closely as %j', (typed, close) => {
  expect(closeness('Judge the caption as good', typed)).toBe(close)
})

test('letters in their order find a verb, with or without their marks', () => {
  expect(found('gorel')).toEqual(['Go to Releases'])
  expect(found('offne')).toEqual(['Öffne dein Profil'])
  expect(found('xyz')).toEqual([])
})

test('nothing typed shows all, those used last first; what was typed decides before that', () => {
  expect(found('', ['Go to Releases'])[0]).toBe('Go to Releases')
  expect(found('go', ['Judge the caption as good'])[0]).toBe('Go to Releases')
  expect(found('judge', ['Judge the caption as bad'])).toEqual([
    'Judge the caption as bad',
    'Judge the caption as good',
  ])
})

test('what was performed is kept once, newest first, and nonsense in the storage is nothing', () => {
  for (const id of ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) noteRecent(id)
  expect(readRecent()).toEqual(['i', 'h', 'g', 'f', 'e', 'd', 'c', 'a'])
  localStorage.setItem('connote.commands', '{"a":1}')
  expect(readRecent()).toEqual([])
})
