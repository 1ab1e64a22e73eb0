import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Dots, GlPoints } from './gl-points'
import { hasMoreInside, mostMoving, sampleOf } from './moving-sample'
import { useGlPoints } from './use-gl-points'

const n = 40_000
const size = { width: 1000, height: 700 }
const placed = {
  xs: Float32Array.from({ length: n }, (_, at) => (at % 1000) + 0.5),
  ys: Float32Array.from({ length: n }, (_, at) => at % 700),
}
const dotsOf = (indices: Int32Array, red: number): Dots => ({
  indices,
  colours: Uint8Array.from({ length: 4 * indices.length }, (_, at) => (at % 4 === 0 ? red : at % 4 === 1 ? (indices[at >> 2] ?? 0) % 251 : 255)),
})
const all = dotsOf(Int32Array.from({ length: n }, (_, at) => n - 1 - at), 7)
const none = dotsOf(new Int32Array(0), 0)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a sample keeps the order and the colours, and takes every caption of an image as often', () => {
  const sample = sampleOf(all, 8000)
  expect(Math.abs(sample.indices.length - 8000)).toBeLessThan(100)
  expect(sample.indices.every((index, at) => at === 0 || index < (sample.indices[at - 1] ?? 0))).toBe(true)
  expect(sample.indices.every((index, at) => sample.colours[4 * at + 1] === index % 251)).toBe(true)
  const ofPlace = [0, 0, 0, 0, 0]
  sample.indices.forEach((index) => (ofPlace[index % 5] = (ofPlace[index % 5] ?? 0) + 1))
  for (const count of ofPlace) expect(Math.abs(count - 1600)).toBeLessThan(100)
  expect(sampleOf(dotsOf(all.indices, 9), 8000).indices.join()).toBe(sample.indices.join())
  expect(sampleOf(none, 8000)).toBe(none)
})

test('dots outside the window do not count', () => {
  expect(hasMoreInside(all, 25_000, placed, size, { x: 0, y: 0, k: 1 })).toBe(true)
  expect(hasMoreInside(all, 25_000, placed, size, { x: -900, y: 0, k: 1 })).toBe(false)
})

/** A map whose frames name the layers they drew. */
function mapOf(isSlow: boolean, dots: Dots) {
  const names: string[] = []
  const painter = { isSlow, put: vi.fn(), clear: vi.fn(), draw: (name: string) => names.push(name), dispose: vi.fn() }
  vi.spyOn(GlPoints, 'on').mockReturnValue(painter as unknown as GlPoints)
  const view = { current: { x: 0, y: 0, k: 1 } }
  const canvas = { current: document.createElement('canvas') }
  const layers = { dots, hits: none, marks: none }
  const { result } = renderHook(() => useGlPoints(canvas, view, { placed, size, layers }))
  const frame = () => {
    vi.advanceTimersByTime(20)
    return names.splice(0)
  }
  const moveTo = (x: number) => {
    view.current = { ...view.current, x }
    result.current.request()
    return frame()
  }
  return { frame, moveTo, ask: result.current.request }
}

const whole = ['dots', 'hits', 'marks']
const sampled = ['dots-sample', 'hits-sample', 'marks']

test('without a graphics card a map of many dots moves as a sample and rests as a whole', () => {
  const map = mapOf(true, all)
  expect(map.frame()).toEqual(whole)
  expect(map.moveTo(10)).toEqual(sampled)
  map.ask()
  expect(map.frame()).toEqual(sampled)
  expect(map.moveTo(-950)).toEqual(sampled)
  vi.advanceTimersByTime(150)
  expect(map.frame()).toEqual(whole)
  expect(map.moveTo(-960)).toEqual(whole)
})

test('few dots, or a graphics card, need no sample', () => {
  const few = mapOf(true, dotsOf(all.indices.slice(0, mostMoving), 1))
  expect([few.frame(), few.moveTo(10)]).toEqual([whole, whole])
  const fast = mapOf(false, all)
  expect([fast.frame(), fast.moveTo(10)]).toEqual([whole, whole])
})
