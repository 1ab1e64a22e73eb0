import { formatDuration } from '@/lib/format/duration'
import { formatCount } from '@/lib/format/numbers'
import { useProgress } from '@/lib/project/get-progress'
import { t } from '@/messages/annotate'

/** What a person has done in the project, at the end of the work. */
export function DoneSoFar({ slug }: { slug: string }) {
  const mine = useProgress(slug).data?.mine
  if (!mine?.submitted_total) return null
  const seconds = Math.round(mine.ms_today / 60_000) * 60
  return (
    <p>
      {t.doneInAll({ n: mine.submitted_total, answers: formatCount(mine.judgments_total) })}{' '}
      {mine.submitted_today > 0 && t.doneToday({ n: mine.submitted_today, time: formatDuration(seconds) })}
    </p>
  )
}
