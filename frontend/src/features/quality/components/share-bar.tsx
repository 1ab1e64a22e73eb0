import { cx } from '@/components/ui/cx'
import { Icon } from '@/components/ui/icon'
import type { Share } from '@/lib/api/figures'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import styles from './share-bar.module.css'

/** A share as a short bar with its figure; one that is clearly low has a sign and a word. */
export function ShareBar({ of: share, isLow }: { of: Share | null | undefined; isLow: boolean }) {
  if (!share) return <span title={t.noneYet}>—</span>
  return (
    <span className={cx(styles.cell, isLow && styles.low)}>
      {isLow && (
        <>
          <Icon name="alert" size={14} />
          <span className="visually-hidden">{t.isLow} </span>
        </>
      )}
      <span
        title={t.shareWords({ k: share.k, n: share.n, low: formatShare(share.low), high: formatShare(share.high) })}
      >
        <b>{formatShare(share.share)}</b> <small>{t.nItems({ nItems: formatCount(share.n) })}</small>
      </span>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.fill} style={{ inlineSize: `${share.share * 100}%` }} />
        <span
          className={styles.interval}
          style={{ insetInlineStart: `${share.low * 100}%`, inlineSize: `${(share.high - share.low) * 100}%` }}
        />
      </span>
    </span>
  )
}
