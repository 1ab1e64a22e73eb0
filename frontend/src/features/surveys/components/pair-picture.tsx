import type { SurveyPair } from '@/lib/api/served'
import styles from './surveys.module.css'

/** The image of a pair, small; its key is its name. */
export function PairPicture({ pair: { thumbnail, image_key } }: { pair: SurveyPair }) {
  const { url, width, height } = thumbnail.small
  return (
    <img
      className={styles.picture}
      src={url}
      width={width}
      height={height}
      alt={image_key}
      loading="lazy"
      decoding="async"
    />
  )
}
