import { useAnnouncement } from '@/components/ui/announcer-store'
import { Button } from '@/components/ui/button'
import { formatDuration } from '@/lib/format/duration'
import { t } from '@/messages/annotate'
import { useBreak } from '../state/use-break'
import styles from './annotate-page.module.css'
import { FirstSteps } from './first-steps'

/**
 * One calm line after a long stretch without a pause. It stops nothing, and goes by itself once somebody pauses. Before
 * the first submit there are the first steps instead.
 */
export function BreakLine({ slug }: { slug: string }) {
  const { minutes, later, enough } = useBreak()
  const words = minutes === null ? null : t.proposeBreak({ time: formatDuration(minutes * 60) })
  useAnnouncement(words)
  if (words === null) return <FirstSteps slug={slug} />
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
