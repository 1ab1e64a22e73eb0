import { expect, test } from 'vitest'
import { linearAxis, logAxis, roundInterval, roundNumbers, withRoom } from './axis'
import { nearestRadius, spread } from './curves'

test('round numbers divide an interval into about as many parts as wanted', () => {
  expect(roundNumbers([0, 100], 5)).toEqual([0, 20, 40, 60, 80, 100])
  expect(roundNumbers([0.6, 0.9], 3)).toEqual([0.6, 0.7, 0.8, 0.9])
  expect(roundNumbers([3, 3], 5)).toEqual([3])
})

test('an interval of values has air and round ends', () => {
  const [from, to] = roundInterval([0.62, 0.91])
  expect(from).toBeLessThan(0.62)
  expect(to).toBeGreaterThan(0.91)
  expect(roundInterval([0.5])[0]).toBeLessThan(0.5)
  expect(roundInterval([])).toEqual([0, 1])
})

test('a linear axis goes from end to end', () => {
  const axis = linearAxis([0, 100], [40, 240])
  expect([0, 50, 100].map(axis.at)).toEqual([40, 140, 240])
})

test('a logarithmic axis gives every doubling the same room', () => {
  const axis = logAxis([1, 100], [0, 100])
  expect(axis.at(1)).toBe(0)
  expect(axis.at(10)).toBeCloseTo(50)
  expect(axis.ticks).toEqual([1, 2, 5, 10, 20, 50, 100])
})

test('a tick whose label would touch the one before it is not written', () => {
  const axis = withRoom(logAxis([1, 100], [0, 100]), 20)
  expect(axis.ticks).toEqual([1, 5, 20, 100])
  expect(axis.at(10)).toBeCloseTo(50)
})

test('one radius alone lies in the middle', () => {
  expect(linearAxis([5, 5], [0, 100]).at(5)).toBe(50)
  expect(logAxis([5, 5], [0, 100]).at(5)).toBe(50)
})

test('the nearest radius is the nearest on the screen', () => {
  const { at } = logAxis([1, 100], [0, 100])
  expect(nearestRadius([1, 10, 100], at, 70)).toBe(10)
  expect(nearestRadius([], at, 70)).toBeNull()
})

test('labels that would cover each other are moved apart and stay inside', () => {
  expect(spread([10, 50], 16, 100)).toEqual([10, 50])
  expect(spread([50, 48], 16, 100)).toEqual([64, 48])
  expect(spread([99, 98], 16, 100)).toEqual([100, 84])
})
