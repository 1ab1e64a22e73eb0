import type { Placed, View } from './place'

export type Corner = readonly [number, number]

/** The corners of a box between two of them. */
export const boxOf = ([left, top]: Corner, [right, bottom]: Corner): readonly Corner[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
]

/** Corners in pixels of the window as places of the whole map. */
export const onWholeMap = (corners: readonly Corner[], { x, y, k }: View): readonly Corner[] =>
  corners.map(([cornerX, cornerY]) => [(cornerX - x) / k, (cornerY - y) / k])

/** The points inside an outline, by the even-odd rule; one that has no area holds none. */
export function pointsInside({ xs, ys }: Placed, corners: readonly Corner[]): Int32Array {
  if (corners.length < 3) return new Int32Array(0)
  const [low, high] = [Math.min, Math.max].map((end) => [
    end(...corners.map(([x]) => x)),
    end(...corners.map(([, y]) => y)),
  ])
  const [left = 0, top = 0] = low ?? []
  const [right = 0, bottom = 0] = high ?? []
  const found: number[] = []
  for (let index = 0; index < xs.length; index += 1) {
    const [x, y] = [xs[index] ?? 0, ys[index] ?? 0]
    if (x >= left && x <= right && y >= top && y <= bottom && isInside(x, y, corners)) found.push(index)
  }
  return Int32Array.from(found)
}

function isInside(x: number, y: number, corners: readonly Corner[]): boolean {
  let inside = false
  let [beforeX, beforeY] = corners.at(-1) ?? [0, 0]
  for (const [cornerX, cornerY] of corners) {
    if (cornerY > y !== beforeY > y && x < ((beforeX - cornerX) * (y - cornerY)) / (beforeY - cornerY) + cornerX)
      inside = !inside
    ;[beforeX, beforeY] = [cornerX, cornerY]
  }
  return inside
}
