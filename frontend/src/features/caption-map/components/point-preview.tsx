import { useEffect, useState } from 'react'
import type { Layer } from '@/lib/caption-map/map-data'
import { MapPicture } from './map-picture'
import styles from './point-preview.module.css'

const restMs = 90

/** Something that a pointer rests on; what it only passes over is not asked for. */
function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

interface PointPreviewProps {
  slug: string
  layer: Layer
  images: Layer
  index: number
}

/** The photograph and the caption of the dot under the pointer, in a corner of the map. */
export function PointPreview({ slug, layer, images, index }: PointPreviewProps) {
  const rested = useRested(index)
  const image = layer.imageOf(rested)
  return (
    <div className={styles.preview} role="status">
      {image !== null && images.isThere(image) && <MapPicture slug={slug} imageId={images.ids[image] ?? 0} />}
      <p className={styles.words} dir="auto">
        {layer.textOf(index) || layer.keyOf(index)}
      </p>
    </div>
  )
}
