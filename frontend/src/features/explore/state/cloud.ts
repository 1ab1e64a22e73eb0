import type { SamplePoints } from '@/lib/api/served'

/** The points of a sample, packed: thousands of them are drawn in every frame. */
export interface Cloud {
  images: readonly number[]
  /** As the layout has them: y grows upwards. */
  xs: Float32Array
  ys: Float32Array
  /** As how-manieth an image was picked, from 1; 0 where it was left. */
  positions: Int32Array
  /** The points that were picked, first pick first. */
  picks: Int32Array
}

export interface Size {
  width: number
  height: number
}

/** Where the points lie in pixels when the whole map is shown; y grows downwards. */
export interface Placed {
  xs: Float32Array
  ys: Float32Array
}

export function cloudOf({ images, x, y, positions }: SamplePoints): Cloud {
  const order = Int32Array.from(positions, (position) => position ?? 0)
  const picks = new Int32Array(order.reduce((most, position) => Math.max(most, position), 0))
  order.forEach((position, index) => {
    if (position > 0) picks[position - 1] = index
  })
  return { images, xs: Float32Array.from(x), ys: Float32Array.from(y), positions: order, picks }
}

const boundsOf = (values: Float32Array): [number, number] => {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return low <= high ? [low, high] : [0, 0]
}

/** One scale for both axes, since distances are what the sample goes by; the cloud in the middle. */
export function place(cloud: Cloud, size: Size, padding: number): Placed {
  const [left, right] = boundsOf(cloud.xs)
  const [bottom, top] = boundsOf(cloud.ys)
  const room = { width: Math.max(1, size.width - 2 * padding), height: Math.max(1, size.height - 2 * padding) }
  const scale = Math.min(room.width / (right - left), room.height / (top - bottom))
  const perUnit = Number.isFinite(scale) ? scale : 1
  const [middleX, middleY] = [(left + right) / 2, (bottom + top) / 2]
  return {
    xs: cloud.xs.map((x) => size.width / 2 + (x - middleX) * perUnit),
    ys: cloud.ys.map((y) => size.height / 2 - (y - middleY) * perUnit),
  }
}
