import { EditedCaption } from '@/components/ui/edited-caption'
import type { Judged, Remark } from '@/lib/api/served'
import { t } from '@/messages/remarks'
import styles from './remarks.module.css'

type Pair = Pick<Judged | Remark, 'image' | 'query' | 'item'>

/** The picture, small. */
export function PairPicture({ pair: { image, item } }: { pair: Pair }) {
  const shown = (image ?? item.image)?.thumbnail.small
  if (!shown) return null
  const alt = image ? t.photograph : t.judgedPicture
  return (
    <img
      className={styles.picture}
      src={shown.url}
      alt={alt}
      width={shown.width}
      height={shown.height}
      loading="lazy"
    />
  )
}

/** The caption as the person left it, or the query that the picture was judged for. */
export function PairWords({ pair: { query, item } }: { pair: Pair }) {
  if (query) return <p className={styles.note}>{t.forQuery({ query: query.text })}</p>
  return (
    <p className={styles.caption} lang="en" dir="auto">
      <EditedCaption text={item.text ?? ''} edits={item.edits} />
    </p>
  )
}
