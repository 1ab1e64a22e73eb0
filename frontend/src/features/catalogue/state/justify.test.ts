import { expect, test } from 'vitest'
import { images } from '@/testing/catalogue-data'
import { justify } from './justify'
import { moved } from './moves'

const measure = { width: 1200, gap: 10, rowHeight: 250 }

test('every row but the last fills the width exactly and no picture is lost', () => {
  const rows = justify(images(1, 203), measure)
  for (const { tiles } of rows.slice(0, -1)) {
    const last = tiles.at(-1)
    expect((last?.left ?? 0) + (last?.width ?? 0)).toBeCloseTo(measure.width)
  }
  expect(rows.flatMap(({ tiles }) => tiles.map(({ index }) => index))).toEqual(Array.from({ length: 203 }, (_, n) => n))
})

test('a lonely last picture is not blown up to the whole width', () => {
  const [row] = justify(images(1, 1), measure)
  expect(row?.height).toBe(250)
})

test('a panorama wider than the page is cropped to fit it', () => {
  const [row] = justify([{ width: 9000, height: 300 }], { ...measure, width: 300 })
  expect(row?.tiles[0]?.width).toBeCloseTo(300)
})

test('nothing is laid out before the width is known', () => {
  expect(justify(images(1, 5), { ...measure, width: 0 })).toEqual([])
})

test('arrows go to the nearest picture in the next row and stop at the edges', () => {
  const rows = justify(images(1, 40), measure)
  const below = moved(rows, 1, 40, 'down')
  expect(rows[1]?.tiles.map(({ index }) => index)).toContain(below)
  expect(moved(rows, below, 40, 'up')).toBe(1)
  expect(moved(rows, 0, 40, 'up')).toBe(0)
  expect(moved(rows, 0, 40, 'left')).toBe(0)
  expect(moved(rows, 39, 40, 'right')).toBe(39)
  expect(moved(rows, 39, 40, 'first')).toBe(0)
})
