import { RelativeTime } from '@/components/ui/relative-time'
import type { PastHit } from '@/lib/api/served'
import { dayOf } from '@/lib/format/time'
import { t } from '@/messages/past-work'
import { oneClosing } from '../closing'
import styles from './past-hit-page.module.css'

/** When the task was sent. */
export function Sent({ hit }: { hit: PastHit }) {
  return (
    <>
      {t.sent} <RelativeTime at={hit.submitted_at ?? hit.expires_at} />
      {hit.status === 'late' && `, ${t.late}`}
    </>
  )
}

/** On a closed page, only the answers that the head annotator wrote about are open. */
export function Closed({ hit }: { hit: PastHit }) {
  const closing = oneClosing(hit.items)
  if (!closing) return null
  const words = hit.items.every((item) => item.closed) ? t.closed : t.closedButRemarks
  return <p className={styles.closed}>{words({ name: closing.by, day: dayOf(closing.on) })}</p>
}

/** How many items a task has, or how many of them a filter leaves. */
export function countOf({ items: { length }, n_items: n, query }: PastHit): string {
  if (length === n) return (query ? t.pictures : t.captions)({ n })
  return (query ? t.picturesOf : t.captionsOf)({ found: length, n })
}
