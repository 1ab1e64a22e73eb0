export interface Size {
  width: number
  height: number
}

export interface View {
  x: number
  y: number
  /** How many times larger than the whole map. */
  k: number
}

/** Points as a layout has them: y grows upwards. */
export interface Points {
  xs: Float32Array
  ys: Float32Array
}

/** Where the points lie in pixels when the whole map is shown; y grows downwards. */
export interface Placed {
  xs: Float32Array
  ys: Float32Array
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

/** How many times wider than high the points lie, between 3:4 and 3:1. */
export function shapeOf({ xs, ys }: Points): number {
  const [left, right] = boundsOf(xs)
  const [bottom, top] = boundsOf(ys)
  const shape = (right - left) / (top - bottom)
  return Number.isFinite(shape) ? Math.min(3, Math.max(0.75, shape)) : 1
}

/** One scale for both axes, since distances are what a map is read by; the points in the middle. */
export function place(points: Points, size: Size, padding: number): Placed {
  const [left, right] = boundsOf(points.xs)
  const [bottom, top] = boundsOf(points.ys)
  const room = { width: Math.max(1, size.width - 2 * padding), height: Math.max(1, size.height - 2 * padding) }
  const scale = Math.min(room.width / (right - left), room.height / (top - bottom))
  const perUnit = Number.isFinite(scale) ? scale : 1
  const [middleX, middleY] = [(left + right) / 2, (bottom + top) / 2]
  return {
    xs: points.xs.map((x) => size.width / 2 + (x - middleX) * perUnit),
    ys: points.ys.map((y) => size.height / 2 - (y - middleY) * perUnit),
  }
}
