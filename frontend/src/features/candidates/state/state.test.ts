import { expect, test } from 'vitest'
import { funnel } from '@/testing/candidate-data'
import { flowOf } from './funnel-steps'
import { isNarrowed, readFilter, without } from './pool-filter'
import { printable, shortened } from './printable'
import { ruleName } from './rule-words'
import { wordDiff } from './word-diff'

test('an address that makes no sense asks nothing', () => {
  expect(readFilter({ status: 'lost', sort: 7, source: {}, text: '', rule: null })).toEqual({})
  expect(readFilter({ text: 7, status: 'kept', sort: 'rank' })).toEqual({ text: '7', status: 'kept', sort: 'rank' })
  expect(readFilter({ text: 'x'.repeat(500) }).text).toHaveLength(200)
  expect(readFilter({ suggests: 'person' })).toEqual({ suggests: 'person' })
  expect(readFilter({ suggests: 'other' })).toEqual({})
})

test('an order alone narrows nothing', () => {
  expect(isNarrowed({ sort: 'rank' })).toBe(false)
  expect(isNarrowed(without({ sort: 'rank', text: 'sea' }, 'sort'))).toBe(true)
})

test('what each rule finds before it is what the rules before it left', () => {
  const { steps, flags } = flowOf(funnel, '')
  expect(steps.map(({ rule, n_before }) => [rule, n_before])).toEqual([
    ['markup', 95],
    ['too_short', 95],
    ['duplicate', 65],
  ])
  expect(flags).toEqual([['non_english', 3]])
})

test('control characters are seen and white space stays', () => {
  expect(printable('a\u0000b\u001b\u007f\u0085\n c')).toBe('a␀b␛␡� \n c'.replace('� ', '�'))
})

test('a long text is cut between words and never through a character', () => {
  const short = shortened('word '.repeat(300))
  expect(short.endsWith('word …')).toBe(true)
  expect(short.length).toBeLessThan(510)
  expect(shortened(`${'x'.repeat(499)}😀${'x'.repeat(200)}`)).toBe(`${'x'.repeat(499)} …`)
  expect(shortened('short')).toBe('short')
})

test('a comparison names the words that went and came, and gives up on what is too long', () => {
  expect(wordDiff('red sky | Prints', 'blue sky')).toEqual([
    { kind: 'removed', text: 'red' },
    { kind: 'added', text: 'blue' },
    { kind: 'same', text: ' sky' },
    { kind: 'removed', text: ' | Prints' },
  ])
  expect(wordDiff('a '.repeat(20_000), 'b')).toBeUndefined()
})

test('a rule this page has not heard of speaks for itself', () => {
  expect([ruleName('too_short'), ruleName('some_new_rule')]).toEqual(['Too short', 'Some new rule'])
})
