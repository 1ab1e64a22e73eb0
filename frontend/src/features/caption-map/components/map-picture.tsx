import { useImage } from '@/lib/images/get-image'
import { t } from '@/messages/caption-map'
import styles from './map-picture.module.css'

/** A small photograph on its mat, fetched when somebody looks at its dot. */
export function MapPicture({ slug, imageId }: { slug: string; imageId: number }) {
  const { data, error } = useImage(slug, imageId)
  return (
    <div className={styles.mat}>
      {data && (
        <img
          key={data.id}
          className={styles.picture}
          src={data.thumbnail.small.url}
          alt={data.title || t.imageKey({ key: data.key })}
          width={data.thumbnail.small.width}
          height={data.thumbnail.small.height}
          decoding="async"
        />
      )}
      {error && <p className={styles.hint}>{t.imageNotShown}</p>}
    </div>
  )
}
