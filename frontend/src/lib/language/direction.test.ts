import { expect, test } from 'vitest'
import { readingKeys } from './direction'

test('the arrows lead on and back as the line of reading runs', () => {
  expect(readingKeys(false)).toEqual({ onward: 'ArrowRight', back: 'ArrowLeft' })
  expect(readingKeys(true)).toEqual({ onward: 'ArrowLeft', back: 'ArrowRight' })
})
