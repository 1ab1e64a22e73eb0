import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/common'
import styles from './unread-mark.module.css'

/** How much waits to be read, or for what `words` say; nothing where nothing does. */
export function UnreadMark({ n, words = t.unread({ n }) }: { n: number; words?: string }) {
  if (n === 0) return null
  return (
    <span className={styles.mark}>
      <span aria-hidden="true">{formatCount(n)}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  )
}
