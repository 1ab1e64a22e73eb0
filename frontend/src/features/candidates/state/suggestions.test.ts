import { expect, test } from 'vitest'
import { suggestion } from '@/testing/candidate-data'
import { kindName, kindsInWords, segments } from './suggestions'

const marked = (text: string, ...places: Parameters<typeof suggestion>[]) =>
  segments(
    text,
    places.map((place) => suggestion(...place)),
  ).map(({ text: run, kinds }) => [run, ...kinds])

test('a text is cut where suggestions begin and end', () => {
  expect(marked('Ada sees two dogs', ['person', 0, 'Ada'], ['number', 9, 'two'])).toEqual([
    ['Ada', 'person'],
    [' sees '],
    ['two', 'number'],
    [' dogs'],
  ])
  expect(marked('Nothing here')).toEqual([['Nothing here']])
})

test('an emoji before a span does not shift it, nor do signs of another direction or marks on letters', () => {
  const family = '👨‍👩‍👧'
  for (const before of ['🎉🎉 ', `${family} `, 'שלום ', 'a\u0301 ', '𝔄𝔅 ']) {
    const start = Array.from(before).length
    expect(marked(`${before}Ada 🎉 Bob`, ['person', start, 'Ada'], ['person', start + 6, 'Bob'])).toEqual([
      [before],
      ['Ada', 'person'],
      [' 🎉 '],
      ['Bob', 'person'],
    ])
  }
})

test('words that two suggestions share have both kinds', () => {
  expect(marked('a group of white birds', ['number', 0, 'a group of white birds'], ['color', 11, 'white'])).toEqual([
    ['a group of ', 'number'],
    ['white', 'number', 'color'],
    [' birds', 'number'],
  ])
})

test('a suggestion that does not find its words is of another text and marks nothing', () => {
  expect(marked('Bob sees two dogs', ['person', 0, 'Ada'], ['number', 90, 'two'])).toEqual([['Bob sees two dogs']])
  expect(marked('', ['person', 0, 'Ada'])).toEqual([])
})

test('what is cut off a long text is not marked, what is cut through is marked as far as it is shown', () => {
  const [text, places] = ['Ada and Grace', [suggestion('person', 0, 'Ada'), suggestion('person', 8, 'Grace')]] as const
  expect(segments(text, places, 5).map(({ text: run }) => run)).toEqual(['Ada', ' a'])
  expect(segments(text, places, 10)).toEqual([
    { text: 'Ada', kinds: ['person'] },
    { text: ' and ', kinds: [] },
    { text: 'Gr', kinds: ['person'] },
  ])
})

test('kinds are told in words, with how many where there are several', () => {
  const found = [suggestion('color', 0, 'red'), suggestion('object_name', 4, 'elk'), suggestion('color', 9, 'blue')]
  expect(kindsInWords(found)).toBe('2 colours, animal or plant')
  expect(kindName('some_new_kind')).toBe('some new kind')
})
