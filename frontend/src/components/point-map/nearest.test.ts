import { expect, test } from 'vitest'
import { finderOf } from './nearest'

const find = finderOf({ xs: Float32Array.of(10, 40), ys: Float32Array.of(10, 10) })
const whole = { x: 0, y: 0, k: 1 }

test('the nearest dot is found, and none where none is near', () => {
  expect(find(14, 12, whole, 'mouse')).toBe(0)
  expect(find(33, 10, whole, 'mouse')).toBe(1)
  expect(find(10, 60, whole, 'mouse')).toBeNull()
})

test('a finger reaches farther than a mouse', () => {
  expect(find(10, 30, whole, 'mouse')).toBeNull()
  expect(find(10, 30, whole, 'touch')).toBe(0)
})

test('nearness is that of the window, however close one looks', () => {
  const close = { x: -100, y: -100, k: 12 }
  expect(find(20, 20, close, 'mouse')).toBe(0)
  expect(find(120, 20, close, 'mouse')).toBeNull()
})
