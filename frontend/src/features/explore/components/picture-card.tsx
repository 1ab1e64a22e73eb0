import { Link } from '@tanstack/react-router'
import type { CatalogueImage } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { useImage } from '@/lib/images/get-image'
import { t } from '@/messages/explore'
import styles from './picture-card.module.css'

export interface PictureCardProps {
  slug: string
  imageId: number
  /** As how-manieth it was picked; 0 where it was left. */
  position: number
  total: number
}

/** The photograph behind a dot, fetched once somebody looks at it. */
export function PictureCard({ slug, imageId, position, total }: PictureCardProps) {
  const { data, error } = useImage(slug, imageId)
  return (
    <div className={styles.card}>
      <div className={styles.mat}>
        {data && <Picture image={data} />}
        {error && <p className={styles.hint}>{t.notFetched}</p>}
      </div>
      <p className={styles.words} role="status">
        <Link to="/projects/$slug/images/$imageId" params={{ slug, imageId: String(imageId) }} className={styles.name}>
          {data ? nameOf(data) : t.photographId({ imageId })}
        </Link>
        <span className={styles.fate}>
          {position > 0 ? t.pickOf({ position: formatCount(position), total: formatCount(total) }) : t.notInSample}
        </span>
      </p>
    </div>
  )
}

/** What will be there, while nobody looks at a dot. */
export function NoPicture() {
  return (
    <div className={styles.card}>
      <div className={styles.mat}>
        <p className={styles.hint}>{t.restOnDot}</p>
      </div>
    </div>
  )
}

const nameOf = (image: Pick<CatalogueImage, 'key' | 'title'>): string =>
  image.title || t.photographKey({ key: image.key })

function Picture({ image }: { image: CatalogueImage }) {
  const { small } = image.thumbnail
  return (
    <img
      key={image.id}
      className={styles.picture}
      src={small.url}
      alt={nameOf(image)}
      width={small.width}
      height={small.height}
      decoding="async"
    />
  )
}
