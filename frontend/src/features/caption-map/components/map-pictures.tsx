import { useMemo } from 'react'
import type { Placed, Size } from '@/components/point-map/place'
import { cx } from '@/components/ui/cx'
import { useThumbnails } from '../api/get-thumbnails'
import type { Column } from '../state/columns'
import type { Layer } from '../state/map-data'
import { css, type MapColours } from '../state/use-colours'
import styles from './map-pictures.module.css'

interface MapPicturesProps {
  slug: string
  layer: Layer
  images: Layer
  column: Column
  colours: MapColours
  indices: readonly number[]
  placed: Placed
  size: Size
  /** Those that a search or a lasso left; null: all of them. */
  hits: ReadonlySet<number> | null
  looked: readonly (number | null)[]
}

const [least, most] = [30, 104] // pixels

/** About as large as leaves room for all of them. */
export const sideOf = (n: number, { width, height }: Size): number =>
  Math.min(most, Math.max(least, 0.55 * Math.sqrt((width * height) / Math.max(1, n))))

/** The photographs of a few points, each in a frame of its point's colour. The list beside the map says the same. */
export function MapPictures(props: MapPicturesProps) {
  const { slug, layer, images, column, colours, indices, placed, size, hits, looked } = props
  const imageIdOf = (index: number): number | null => {
    const image = layer.imageOf(index)
    return image !== null && images.isThere(image) ? (images.ids[image] ?? null) : null
  }
  const wanted = useMemo(() => {
    const ids = indices.map((index) => layer.imageOf(index)).filter((image) => image !== null && images.isThere(image))
    return [...new Set(ids.map((image) => images.ids[image ?? -1] ?? 0))].toSorted((a, b) => a - b)
  }, [indices, layer, images])
  const { data } = useThumbnails(slug, wanted)
  const side = sideOf(indices.length, size)
  return indices.map((index) => {
    const thumbnail = data?.get(imageIdOf(index) ?? -1)
    const entry = column.entries[column.codes[index] ?? -1]
    if (!thumbnail) return null
    const scale = side / Math.max(thumbnail.width, thumbnail.height)
    return (
      <img
        key={index}
        className={cx(
          styles.picture,
          hits && !hits.has(index) && styles.faded,
          looked.includes(index) && styles.looked,
        )}
        src={thumbnail.url}
        alt=""
        width={Math.round(thumbnail.width * scale)}
        height={Math.round(thumbnail.height * scale)}
        decoding="async"
        draggable={false}
        style={{
          left: placed.xs[index],
          top: placed.ys[index],
          ...(entry && { outlineColor: css(colours.of(entry)) }),
        }}
      />
    )
  })
}
