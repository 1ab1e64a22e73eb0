import { expect, test } from 'vitest'
import { place } from '@/components/point-map/place'
import { cloudOf } from './cloud'

const points = { images: [7, 8, 9, 10], x: [0, 4, 0, 4], y: [0, 0, 2, 2], positions: [null, 2, null, 1] }

test('picks are found in their order and the others are left', () => {
  const cloud = cloudOf(points)
  expect([...cloud.picks].map((index) => cloud.images[index])).toEqual([10, 8])
  expect([...cloud.positions]).toEqual([0, 2, 0, 1])
})

test('the cloud is centred, upright, and equally long both ways', () => {
  const placed = place(cloudOf(points), { width: 120, height: 220 }, 10)
  expect([...placed.xs]).toEqual([10, 110, 10, 110])
  expect([...placed.ys]).toEqual([135, 135, 85, 85])
})

test('a single image lies in the middle', () => {
  const one = cloudOf({ images: [1], x: [-3], y: [5], positions: [1] })
  const placed = place(one, { width: 100, height: 60 }, 10)
  expect([placed.xs[0], placed.ys[0]]).toEqual([50, 30])
})

test('images on one line are spread along it', () => {
  const line = cloudOf({ images: [1, 2], x: [0, 2], y: [1, 1], positions: [1, null] })
  const placed = place(line, { width: 100, height: 60 }, 10)
  expect([...placed.xs]).toEqual([10, 90])
  expect([...placed.ys]).toEqual([30, 30])
})

test('no point at all is no fault', () => {
  const none = cloudOf({ images: [], x: [], y: [], positions: [] })
  expect(none.picks).toHaveLength(0)
  expect(place(none, { width: 100, height: 60 }, 10).xs).toHaveLength(0)
})
