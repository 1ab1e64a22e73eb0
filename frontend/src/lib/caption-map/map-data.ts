import type { MapColumns, MapColumnValues } from '@/lib/api/served'
import { categoryColumn, type Column, groupColumn, numberColumn } from './columns'

export type Kind = 'captions' | 'images'

/** The points of one kind, each with a value in every column. */
export interface Layer {
  kind: Kind
  /** As the layout has them: y grows upwards. */
  points: { xs: Float32Array; ys: Float32Array }
  /** Ids of captions or of images, as numbers without loss. */
  ids: Float64Array
  columns: readonly [Column, ...Column[]]
  /** Whether the caption or image is still in the project. */
  isThere: (index: number) => boolean
  /** The key of the image, of a caption's image too; empty where that is not on the map. */
  keyOf: (index: number) => string
  /** A caption; empty for an image. */
  textOf: (index: number) => string
  /** The image's place among the images; null where it is not on the map. */
  imageOf: (index: number) => number | null
}

export interface MapData {
  captions: Layer
  images: Layer
  /** The captions of each image, by the image's place. */
  captionsOf: (image: number) => readonly number[]
  nImagesMissing: number
  nCaptionsMissing: number
  nCaptionsChanged: number
}

const magic = 'CONMAP1\0'
const headerBytes = 16

/** Both planes out of the bytes that backend/methods/map_points.py packs. Throws where they are no map. */
export function unpack(bytes: ArrayBuffer) {
  const view = new DataView(bytes)
  const name = bytes.byteLength >= headerBytes ? String.fromCharCode(...new Uint8Array(bytes, 0, magic.length)) : ''
  if (name !== magic) throw new Error('These bytes are no map.')
  const [nImages, nCaptions] = [view.getUint32(8, true), view.getUint32(12, true)]
  const n = nImages + nCaptions
  const ids = new Float64Array(bytes, headerBytes, n)
  const xs = new Float32Array(bytes, headerBytes + 8 * n, n)
  const ys = new Float32Array(bytes, headerBytes + 12 * n, n)
  const groups = new Int32Array(bytes, headerBytes + 16 * n, n)
  const plane = (from: number, to: number) => ({
    ids: ids.subarray(from, to),
    points: { xs: xs.subarray(from, to), ys: ys.subarray(from, to) },
    groups: groups.subarray(from, to),
  })
  return { images: plane(0, nImages), captions: plane(nImages, n) }
}

const columnOf = (given: MapColumnValues): Column =>
  given.codes
    ? categoryColumn(given.name, given.values ?? [], given.codes)
    : numberColumn(given.name, given.numbers ?? [])

export function mapOf(bytes: ArrayBuffer, columns: MapColumns): MapData {
  const { images, captions } = unpack(bytes)
  if (images.ids.length !== columns.keys.length || captions.ids.length !== columns.texts.length)
    throw new Error('The points and the columns are of two maps.')
  const captionsOf = new Map<number, number[]>()
  columns.images.forEach((image, caption) => {
    if (image < 0 || !columns.texts[caption]) return
    const others = captionsOf.get(image)
    if (others) others.push(caption)
    else captionsOf.set(image, [caption])
  })
  const imageOf = (caption: number) => {
    const image = columns.images[caption] ?? -1
    return image < 0 ? null : image
  }
  const keyOf = (image: number | null) => (image === null ? '' : (columns.keys[image] ?? ''))
  return {
    captions: {
      kind: 'captions',
      ids: captions.ids,
      points: captions.points,
      columns: [groupColumn(captions.groups), ...columns.caption_columns.map(columnOf)],
      isThere: (index) => columns.texts[index] !== '',
      textOf: (index) => columns.texts[index] ?? '',
      imageOf,
      keyOf: (index) => keyOf(imageOf(index)),
    },
    images: {
      kind: 'images',
      ids: images.ids,
      points: images.points,
      columns: [groupColumn(images.groups), ...columns.image_columns.map(columnOf)],
      isThere: (index) => columns.keys[index] !== '',
      textOf: () => '',
      imageOf: (index) => index,
      keyOf,
    },
    captionsOf: (image) => captionsOf.get(image) ?? [],
    nImagesMissing: columns.n_images_missing,
    nCaptionsMissing: columns.n_captions_missing,
    nCaptionsChanged: columns.n_captions_changed,
  }
}
