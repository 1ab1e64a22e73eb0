import { expect, test } from 'vitest'
import { fitInto, fitted, pan, zoomAt } from './zoom'

const frame = { width: 800, height: 600 }
const wide = { width: 1600, height: 800 }

test('a wide photograph fits by its width', () => {
  expect(fitInto(frame, wide)).toEqual({ width: 800, height: 400 })
})

test('the point under the pointer stays where it is', () => {
  const at = { x: 200, y: 0 }
  const view = zoomAt(fitted, 2, at, frame, wide)
  expect((at.x - view.x) / view.scale).toBe(at.x)
})

test('zooming stops at fitting and at eight times', () => {
  expect(zoomAt(fitted, 0.1, { x: 0, y: 0 }, frame, wide).scale).toBe(1)
  expect(zoomAt(fitted, 100, { x: 0, y: 0 }, frame, wide).scale).toBe(8)
})

test('a fitted photograph cannot be dragged away', () => {
  expect(pan(fitted, { x: 300, y: -300 }, frame, wide)).toEqual(fitted)
})

test('an enlarged photograph stops at its edges', () => {
  const near = zoomAt(fitted, 2, { x: 0, y: 0 }, frame, wide)
  expect(pan(near, { x: 10_000, y: 10_000 }, frame, wide)).toEqual({ scale: 2, x: 400, y: 100 })
})

test('zooming out again centres it', () => {
  const corner = pan(zoomAt(fitted, 4, { x: 0, y: 0 }, frame, wide), { x: 9999, y: 9999 }, frame, wide)
  expect(zoomAt(corner, 0.01, { x: 50, y: 50 }, frame, wide)).toEqual(fitted)
})
