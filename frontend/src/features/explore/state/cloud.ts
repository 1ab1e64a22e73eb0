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

export function cloudOf({ images, x, y, positions }: SamplePoints): Cloud {
  const order = Int32Array.from(positions, (position) => position ?? 0)
  const picks = new Int32Array(order.reduce((most, position) => Math.max(most, position), 0))
  order.forEach((position, index) => {
    if (position > 0) picks[position - 1] = index
  })
  return { images, xs: Float32Array.from(x), ys: Float32Array.from(y), positions: order, picks }
}
