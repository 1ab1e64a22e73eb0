/** Sizes of pictures laid out in rows that fill the width, like lines of justified text. Pixels throughout. */
export interface Sized {
  width: number
  height: number
}

export interface Tile {
  /** Position in the list of pictures. */
  index: number
  left: number
  width: number
}

export interface GalleryRow {
  height: number
  tiles: readonly Tile[]
}

export interface Measure {
  width: number
  gap: number
  /** The height rows aim at. */
  rowHeight: number
}

// Panoramas and ribbons are cropped a little, or one picture would take a whole row to itself.
const narrowest = 0.6
const widest = 2.2

const aspectOf = ({ width, height }: Sized): number =>
  Math.min(widest, Math.max(narrowest, height > 0 ? width / height : 1))

function layRow(first: number, aspects: readonly number[], measure: Measure, isFull: boolean): GalleryRow {
  const room = measure.width - measure.gap * (aspects.length - 1)
  const sum = aspects.reduce((total, aspect) => total + aspect, 0)
  const height = isFull ? room / sum : Math.min(measure.rowHeight, room / sum)
  let left = 0
  const tiles = aspects.map((aspect, offset) => {
    const tile = { index: first + offset, left, width: aspect * height }
    left += tile.width + measure.gap
    return tile
  })
  return { height, tiles }
}

/** Rows of pictures, each row as high as fills the width; the last one keeps the usual height. */
export function justify(pictures: readonly Sized[], measure: Measure): GalleryRow[] {
  if (measure.width <= 0) return []
  const rows: GalleryRow[] = []
  let aspects: number[] = []
  let sum = 0
  for (const [index, picture] of pictures.entries()) {
    aspects.push(aspectOf(picture))
    sum += aspects.at(-1) ?? 0
    const isFull = sum * measure.rowHeight + measure.gap * (aspects.length - 1) >= measure.width
    if (!isFull) continue
    rows.push(layRow(index - aspects.length + 1, aspects, measure, true))
    aspects = []
    sum = 0
  }
  if (aspects.length > 0) rows.push(layRow(pictures.length - aspects.length, aspects, measure, false))
  return rows
}
