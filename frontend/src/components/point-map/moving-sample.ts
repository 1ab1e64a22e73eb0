import type { Dots } from './gl-points'
import type { Placed, Size, View } from './place'

/** A processor draws this many dots in a smooth frame, also for two maps beside each other. */
export const mostMoving = 25_000

/** At most about `most` of the dots, spread evenly, in their order. Which points these are does not change with colours. */
export function sampleOf(dots: Dots, most: number): Dots {
  const limit = (most / dots.indices.length) * 2 ** 32
  if (limit >= 2 ** 32) return dots
  // Multiples of the golden ratio are spread evenly. Every fifth point could be always the first caption of an image.
  const places = [...dots.indices.keys()].filter((at) => Math.imul(dots.indices[at] ?? 0, 0x9e3779b1) >>> 0 < limit)
  const colours = new Uint8Array(4 * places.length)
  places.forEach((at, to) => colours.set(dots.colours.subarray(4 * at, 4 * at + 4), 4 * to))
  return { indices: Int32Array.from(places, (at) => dots.indices[at] ?? 0), colours }
}

/** Whether more than `most` of the dots are in the window. */
export function hasMoreInside({ indices }: Dots, most: number, { xs, ys }: Placed, size: Size, { x, y, k }: View): boolean {
  if (indices.length <= most) return false
  let inside = 0
  for (const index of indices) {
    const [left, top] = [(xs[index] ?? 0) * k + x, (ys[index] ?? 0) * k + y]
    if (left >= 0 && top >= 0 && left <= size.width && top <= size.height) inside += 1
  }
  return inside > most
}
