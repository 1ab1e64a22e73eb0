import { formatCount, formatWholeShare } from '@/lib/format/numbers'
import { t } from '@/messages/review'
import type { Share } from '../api/shapes'
import styles from './figures.module.css'

/** How many test questions a person passed: a bar, its interval as a line through it, and the number they met. */
export function Reliability({ share }: { share: Share | null }) {
  if (!share || share.n === 0) return <span className={styles.noTests}>{t.noTests}</span>
  const words = t.passedTests({ k: share.k, n: share.n })
  const { low, high } = share
  return (
    <span className={styles.reliability} role="img" aria-label={words} title={words}>
      <span className={styles.track}>
        <span className={styles.fill} style={{ inlineSize: percent(share.k / share.n) }} />
        <span className={styles.band} style={{ insetInlineStart: percent(low), inlineSize: percent(high - low) }} />
      </span>
      <span className={styles.share}>{formatWholeShare(share.k / share.n)}</span>
      <small>{formatCount(share.n)}</small>
    </span>
  )
}

const percent = (share: number) => `${share * 100}%`
