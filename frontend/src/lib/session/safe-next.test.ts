import { expect, test } from 'vitest'
import { safeNext } from './safe-next'

test.each([
  ['/projects/harbour/annotate', '/projects/harbour/annotate'],
  ['/projects/harbour/images?cursor=a', '/projects/harbour/images?cursor=a'],
  [undefined, '/'],
  ['https://example.org/', '/'],
  ['//example.org/', '/'],
  ['/\\example.org/', '/'],
  ['javascript:alert(1)', '/'],
])('after signing in, %s leads to %s', (next, path) => {
  expect(safeNext(next)).toBe(path)
})
