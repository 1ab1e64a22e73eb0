import type { Dots } from '@/components/point-map/gl-points'
import type { Column, Entry } from '@/lib/caption-map/columns'
import type { Rgb } from '@/lib/caption-map/use-colours'

const faint = 46
const greyAlpha = 150
const solid = 225

/** Points to draw: those without a value below the others, and of ordered values the highest on top. */
export function dotsOf(
  { codes, entries }: Column,
  colourOf: (entry: Entry) => Rgb,
  isShown: (index: number) => boolean,
  isFaint = false,
): Dots {
  const last = entries.length - 1
  // The last entry comes first.
  const levelOf = (index: number) => ((codes[index] ?? last) + 1) % entries.length
  const starts = new Uint32Array(entries.length + 1)
  const shown: number[] = []
  for (let index = 0; index < codes.length; index += 1) {
    if (!isShown(index)) continue
    shown.push(index)
    const after = levelOf(index) + 1
    starts[after] = (starts[after] ?? 0) + 1
  }
  for (let level = 1; level < starts.length; level += 1) starts[level] = (starts[level] ?? 0) + (starts[level - 1] ?? 0)
  const indices = new Int32Array(shown.length)
  const colours = new Uint8Array(4 * shown.length)
  const rgb = entries.map(colourOf)
  for (const index of shown) {
    const level = levelOf(index)
    const at = starts[level] ?? 0
    starts[level] = at + 1
    indices[at] = index
    const alpha = isFaint ? faint : level === 0 ? greyAlpha : solid
    colours.set([...(rgb[codes[index] ?? last] ?? [128, 128, 128]), alpha], 4 * at)
  }
  return { indices, colours }
}

/** Some points in one colour. */
export function ringsOf(indices: readonly number[], [red, green, blue]: Rgb): Dots {
  return {
    indices: Int32Array.from(indices),
    colours: Uint8Array.from(indices.flatMap(() => [red, green, blue, 255])),
  }
}
