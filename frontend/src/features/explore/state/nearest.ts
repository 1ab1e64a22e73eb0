import { quadtree } from 'd3-quadtree'
import type { Placed } from './cloud'
import type { View } from './paint'

/** How far from a dot, in pixels of the window, a pointer still means it. */
const reach = { mouse: 14, touch: 26 }

export type Find = (x: number, y: number, view: View, pointer: string) => number | null

/** Finds the point nearest a place of the window; null where none is near. */
export function finderOf({ xs, ys }: Placed): Find {
  const tree = quadtree<number>()
    .x((index) => xs[index] ?? 0)
    .y((index) => ys[index] ?? 0)
    .addAll(Array.from(xs.keys()))
  return (x, y, view, pointer) => {
    const radius = pointer === 'touch' ? reach.touch : reach.mouse
    return tree.find((x - view.x) / view.k, (y - view.y) / view.k, radius / view.k) ?? null
  }
}
