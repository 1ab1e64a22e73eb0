import { asCsv } from '@/components/chart/chart-files'
import type { Layer } from '@/lib/caption-map/map-data'

/** Some points as a table: their ids and keys, where they lie, and every column. */
export function csvOf(layer: Layer, indices: ArrayLike<number>): string {
  const column = (title: string, value: (index: number) => string | number | null) => ({ title, value })
  const own = layer.kind === 'captions' ? [column('caption_id', (index) => layer.ids[index] ?? null)] : []
  const text = layer.kind === 'captions' ? [column('caption', layer.textOf)] : []
  return asCsv({
    columns: [
      ...own,
      ...(layer.kind === 'images' ? [column('image_id', (index) => layer.ids[index] ?? null)] : []),
      column('image', layer.keyOf),
      ...text,
      ...layer.columns.map(({ name, valueOf }) => column(name, valueOf)),
      column('x', (index) => layer.points.xs[index] ?? null),
      column('y', (index) => layer.points.ys[index] ?? null),
    ],
    rows: Array.from(indices),
  })
}
