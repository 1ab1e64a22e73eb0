import { Badge } from '@/components/ui/badge'
import type { Annotator } from '@/lib/api/served'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import { personLooks } from '../state/quality-words'
import styles from './quality-page.module.css'
import { StateBadge } from './state-badge'

/** The state of a person, and what a head annotator must know about it. */
export function StateBadges({ annotator }: { annotator: Annotator }) {
  return (
    <span className={styles.badges}>
      <StateBadge look={personLooks[annotator.state]} />
      {annotator.is_by_hand && <Badge>{t.byHand}</Badge>}
      {annotator.needs_review && (
        <Badge tone="accent" icon="search">
          {t.toReview}
        </Badge>
      )}
    </span>
  )
}

/** A share with its interval and n; a dash where there is nothing to divide by. */
export function ShareCell({ of: share }: { of: Annotator['passed'] }) {
  if (!share) return <span title={t.noneYet}>—</span>
  return (
    <span className={styles.figure} title={t.kOfN({ k: share.k, n: share.n })}>
      <b>{formatShare(share.share)}</b>
      <small>
        {t.shareInterval({
          low: Math.round(share.low * 100),
          high: Math.round(share.high * 100),
          n: formatCount(share.n),
        })}
      </small>
    </span>
  )
}
