import { expect, test } from 'vitest'
import { formatBytes, formatDecimal } from './numbers'
import { relativeTime } from './time'

const now = new Date('2026-03-10T12:00:00Z')
const ago = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000), now)

test.each([
  [20, 'just now'],
  [90, '1 minute ago'],
  [3 * 3600, '3 hours ago'],
  [86_400, 'yesterday'],
  [-7200, 'in 2 hours'],
  [-20, 'in a moment'],
])('%d seconds ago reads "%s"', (seconds, words) => {
  expect(ago(seconds)).toBe(words)
})

test('a figure has always so many decimals', () => {
  expect([formatDecimal(0.7144, 3), formatDecimal(1, 2), formatDecimal(12_345.6, 1)]).toEqual([
    '0.714',
    '1.00',
    '12345.6',
  ])
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [2_345_678, '2.3 MB'],
])('%d bytes read "%s"', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words)
})
