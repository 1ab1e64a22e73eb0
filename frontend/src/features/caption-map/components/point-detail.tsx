import { useEffect, useRef } from 'react'
import { IconButton } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import { LinkButton } from '@/components/ui/link-button'
import type { Layer, MapData } from '@/lib/caption-map/map-data'
import { t } from '@/messages/caption-map'
import { CaptionSpace } from './caption-space'
import { MapPicture } from './map-picture'
import styles from './point-detail.module.css'

interface PointDetailProps {
  slug: string
  data: MapData
  layer: Layer
  index: number
  onClose: () => void
}

/** The caption or image that is open: its photograph, what is known of it, and its pages. */
export function PointDetail({ slug, data, layer, index, onClose }: PointDetailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const image = layer.imageOf(index)
  const imageId = image !== null && data.images.isThere(image) ? (data.images.ids[image] ?? null) : null
  const others = image === null ? [] : data.captionsOf(image)
  return (
    <section className={styles.detail} aria-label={t.openPoint}>
      <div className={styles.head}>
        <h2 ref={heading} className={layer.kind === 'captions' ? styles.caption : styles.key} tabIndex={-1} dir="auto">
          {layer.textOf(index) || layer.keyOf(index)}
        </h2>
        <IconButton icon="cross" aria-label={t.close} onPress={onClose} />
      </div>
      {imageId !== null && <MapPicture slug={slug} imageId={imageId} />}
      <Facts
        facts={layer.columns.map(({ name, label, entries, codes, valueOf }) => ({
          name: label,
          value: entries[codes[index] ?? -1]?.value ? wordsOf(entries[codes[index] ?? -1], valueOf(index)) : t.noValue,
          key: name,
        }))}
      />
      {imageId !== null && (
        <div className={styles.links}>
          <LinkButton to="/projects/$slug/images/$imageId" params={{ slug, imageId: String(imageId) }}>
            {t.openImage}
          </LinkButton>
          <LinkButton to="/projects/$slug/images/$imageId/captions" params={{ slug, imageId: String(imageId) }}>
            {t.openCaptions}
          </LinkButton>
        </div>
      )}
      {imageId !== null && <CaptionSpace slug={slug} imageId={imageId} />}
      <Captions layer={data.captions} captions={others} index={layer.kind === 'captions' ? index : null} />
    </section>
  )
}

/** A number as it is, a category by its word. */
const wordsOf = (entry: { label: string } | undefined, value: string) =>
  /^-?[\d.]+$/.test(value) ? value : entry?.label

function Captions({ layer, captions, index }: { layer: Layer; captions: readonly number[]; index: number | null }) {
  const others = captions.filter((each) => each !== index)
  if (others.length === 0) return null
  return (
    <div>
      <h3 className={styles.title}>{index === null ? t.itsCaptions : t.otherCaptions}</h3>
      <ul className={styles.captions}>
        {others.map((each) => (
          <li key={each} dir="auto">
            {layer.textOf(each)}
          </li>
        ))}
      </ul>
    </div>
  )
}
