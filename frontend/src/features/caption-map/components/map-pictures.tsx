import { FewPictures } from '@/components/point-map/few-pictures'
import type { Placed, Size } from '@/components/point-map/place'
import type { Column } from '@/lib/caption-map/columns'
import type { Layer } from '@/lib/caption-map/map-data'
import { css, type MapColours } from '@/lib/caption-map/use-colours'

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

/** The photographs of a few points, framed in the colour of the chosen column. */
export function MapPictures(props: MapPicturesProps) {
  const { slug, layer, images, column, colours, indices, placed, size, hits, looked } = props
  const pictures = indices.flatMap((index) => {
    const image = layer.imageOf(index)
    if (image === null || !images.isThere(image)) return []
    const entry = column.entries[column.codes[index] ?? -1]
    return [
      {
        index,
        imageId: images.ids[image] ?? 0,
        colour: entry && css(colours.of(entry)),
        isFaded: hits !== null && !hits.has(index),
        isLooked: looked.includes(index),
      },
    ]
  })
  return <FewPictures slug={slug} pictures={pictures} placed={placed} size={size} />
}
