import { render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  localStorage.clear()
  vi.resetModules()
})

const english = {
  title: 'Captions',
  judged: { by: 'n', one: '{n} caption judged by {name}', other: '{n} captions judged by {name}' },
  go: 'Go to {page} first',
} as const

/** The catalogue as a page in that language loads it. */
async function speaking(language: 'en' | 'de') {
  localStorage.setItem('connote.language', language)
  vi.resetModules()
  return import('./catalogue')
}

test('a plain sentence is a string, one with places is filled, numbers as the language writes them', async () => {
  const t = (await speaking('en')).catalogue('room', english)
  expect(t.title).toBe('Captions')
  expect(t.judged({ n: 1, name: 'Bob' })).toBe('1 caption judged by Bob')
  expect(t.judged({ n: 1200, name: 'Bob' })).toBe('1,200 captions judged by Bob')
})

test('German says its own sentences and groups thousands with a point', async () => {
  const { catalogue, learn } = await speaking('de')
  const judged = { by: 'n', one: 'ein Bildtext von {name}', other: '{n} Bildtexte von {name}' }
  learn({ room: { title: 'Bildtexte', judged, go: 'Zuerst zu {page}' } })
  const t = catalogue('room', english)
  expect(t.title).toBe('Bildtexte')
  expect([t.judged({ n: 1, name: 'Bob' }), t.judged({ n: 1200, name: 'Bob' })]).toEqual([
    'ein Bildtext von Bob',
    '1.200 Bildtexte von Bob',
  ])
})

test('a room whose sentences were not loaded before it says so instead of speaking English', async () => {
  const { catalogue } = await speaking('de')
  expect(() => catalogue('nowhere', english)).toThrow('The de sentences of "nowhere"')
})

test('what a value holds is never read as a place to fill', async () => {
  const t = (await speaking('en')).catalogue('room', english)
  expect(t.go({ page: '{page} $& {name}' })).toBe('Go to {page} $& {name} first')
})

test('a sentence takes elements where the language wants them', async () => {
  const t = (await speaking('en')).catalogue('room', english)
  const { Sentence } = await import('./sentence')
  const { container } = render(<Sentence of={t.go} parts={{ page: <a href="/guide">the guide</a> }} />)
  expect(container.innerHTML).toBe('Go to <a href="/guide">the guide</a> first')
})
