import { useMemo } from 'react'
import { useThumbnails } from '@/lib/images/get-thumbnails'
import { cx } from '../ui/cx'
import styles from './few-pictures.module.css'
import { isNarrow, sideInNarrow } from './few-points'
import type { Placed, Size } from './place'

/** A point that is drawn as its photograph. */
export interface FewPicture {
  index: number
  imageId: number
  /** Of its frame. */
  colour?: string | undefined
  isFaded?: boolean
  isLooked?: boolean
}

export interface FewPicturesProps {
  slug: string
  pictures: readonly FewPicture[]
  placed: Placed
  size: Size
}

const [least, most] = [30, 104] // pixels

/** About as large as leaves room for all of them. */
function sideOf(n: number, size: Size): number {
  if (isNarrow(size)) return sideInNarrow
  return Math.min(most, Math.max(least, 0.55 * Math.sqrt((size.width * size.height) / Math.max(1, n))))
}

/** The photographs of a few points, each in a frame of its colour. The page says the same in words. */
export function FewPictures({ slug, pictures, placed, size }: FewPicturesProps) {
  const wanted = useMemo(
    () => [...new Set(pictures.map(({ imageId }) => imageId))].toSorted((a, b) => a - b),
    [pictures],
  )
  const { data } = useThumbnails(slug, wanted)
  const side = sideOf(pictures.length, size)
  return pictures.map(({ index, imageId, colour, isFaded, isLooked }) => {
    const thumbnail = data?.get(imageId)
    if (!thumbnail) return null
    const scale = side / Math.max(thumbnail.width, thumbnail.height)
    return (
      <img
        key={index}
        className={cx(styles.picture, isFaded && styles.faded, isLooked && styles.looked)}
        src={thumbnail.url}
        alt=""
        width={Math.round(thumbnail.width * scale)}
        height={Math.round(thumbnail.height * scale)}
        decoding="async"
        draggable={false}
        style={{ left: placed.xs[index], top: placed.ys[index], ...(colour && { outlineColor: colour }) }}
      />
    )
  })
}
