import type { GalleryRow, Tile } from './justify'

export type Move = 'left' | 'right' | 'up' | 'down' | 'first' | 'last'

const centre = (tile: Tile): number => tile.left + tile.width / 2

export const rowOf = (rows: readonly GalleryRow[], index: number): number => {
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((rows[middle]?.tiles[0]?.index ?? Infinity) <= index) low = middle
    else high = middle - 1
  }
  return low
}

/** The picture nearest above or below; the same one where there is no such row. */
function vertical(rows: readonly GalleryRow[], index: number, step: 1 | -1): number {
  const row = rowOf(rows, index)
  const from = rows[row]?.tiles.find((tile) => tile.index === index)
  const target = rows[row + step]
  if (!from || !target) return index
  const nearest = target.tiles.reduce((best, tile) =>
    Math.abs(centre(tile) - centre(from)) < Math.abs(centre(best) - centre(from)) ? tile : best,
  )
  return nearest.index
}

/** Where an arrow leads from picture `index` of `count`. */
export function moved(rows: readonly GalleryRow[], index: number, count: number, move: Move): number {
  switch (move) {
    case 'left':
      return Math.max(0, index - 1)
    case 'right':
      return Math.min(count - 1, index + 1)
    case 'up':
      return vertical(rows, index, -1)
    case 'down':
      return vertical(rows, index, 1)
    case 'first':
      return 0
    case 'last':
      return count - 1
  }
}
