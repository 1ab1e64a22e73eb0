import { afterEach, expect, test, vi } from 'vitest'
import { announceLanguage, directionOf, languageFor, storeChoice, storedChoice } from './language'

afterEach(() => localStorage.clear())

test.each([
  ['system', ['de-AT', 'en'], 'de'],
  ['system', ['fr', 'de-CH'], 'de'],
  ['system', ['fr', 'tlh'], 'en'],
  ['system', [], 'en'],
  ['en', ['de'], 'en'],
  ['de', ['en'], 'de'],
] as const)('who chose %s in a browser that wants %j reads %s', (choice, wanted, language) => {
  expect(languageFor(choice, wanted)).toBe(language)
})

test('a choice is kept for the next page', () => {
  expect(storeChoice('de')).toBe(true)
  expect(storedChoice()).toBe('de')
})

test('what is no language of ours is as good as no choice', () => {
  localStorage.setItem('connote.language', 'tlh')
  expect(storedChoice()).toBe('system')
})

test('a browser that keeps nothing is not asked to load the page again', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(storeChoice('de')).toBe(false)
})

test.each([
  ['en', 'ltr'],
  ['de', 'ltr'],
  ['he-IL', 'rtl'],
  ['ar', 'rtl'],
])('%s is written %s', (tag, direction) => {
  expect(directionOf(tag)).toBe(direction)
})

test('the document says which language it speaks and which way it runs', () => {
  const root = document.createElement('html')
  announceLanguage(root)
  expect([root.lang, root.dir]).toEqual(['en', 'ltr'])
})
