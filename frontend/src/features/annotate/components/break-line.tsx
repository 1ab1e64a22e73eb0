import { useAnnouncement } from '@/components/ui/announcer-store'
import { Button } from '@/components/ui/button'
import { formatDuration } from '@/lib/format/duration'
import { t } from '@/messages/annotate'
import { useBreak } from '../state/use-break'
import styles from './annotate-page.module.css'

/** One calm line after a long stretch without a pause. It stops nothing, and goes by itself once somebody pauses. */
export function BreakLine() {
  const { minutes, later, enough } = useBreak()
  const words = minutes === null ? null : t.proposeBreak({ time: formatDuration(minutes * 60) })
  useAnnouncement(words)
  if (words === null) return null
  return (
    <div className={styles.calm} role="note">
      <p>{words}</p>
      <Button size="small" variant="quiet" preventFocusOnPress onPress={later}>
        {t.breakLater}
      </Button>
      <Button size="small" variant="quiet" preventFocusOnPress onPress={enough}>
        {t.breakEnough}
      </Button>
    </div>
  )
}
