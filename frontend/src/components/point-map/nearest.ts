import { type Quadtree, quadtree } from 'd3-quadtree'
import type { Placed, View } from './place'

/** How far from a dot, in pixels of the window, a pointer still means it. */
const reach = { mouse: 14, touch: 26 }

/** `least` is the reach where something larger than a dot is drawn. */
export type Find = (x: number, y: number, view: View, pointer: string, least?: number) => number | null

/** Finds the point nearest a place of the window among those that are shown; null where none is near. */
export function finderOf({ xs, ys }: Placed, isShown: (index: number) => boolean = () => true): Find {
  let tree: Quadtree<number> | null = null
  const treeOf = () =>
    quadtree<number>()
      .x((index) => xs[index] ?? 0)
      .y((index) => ys[index] ?? 0)
      .addAll(Array.from(xs.keys()).filter(isShown))
  return (x, y, view, pointer, least = 0) => {
    // Built by the first pointer: of 125,000 points it takes a while that nobody should wait before they are drawn.
    tree ??= treeOf()
    const radius = Math.max(least, pointer === 'touch' ? reach.touch : reach.mouse)
    return tree.find((x - view.x) / view.k, (y - view.y) / view.k, radius / view.k) ?? null
  }
}
