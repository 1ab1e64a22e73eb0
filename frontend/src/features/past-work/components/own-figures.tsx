import { KeyFigures } from '@/components/ui/key-figures'
import { useLabelLooks } from '@/components/ui/label-looks'
import { useOwnDays } from '@/lib/annotators/get-own-days'
import type { Label } from '@/lib/api/contract'
import type { OwnDay } from '@/lib/api/served'
import { formatDuration } from '@/lib/format/duration'
import { formatCount, formatWholeShare } from '@/lib/format/numbers'
import { useProgress } from '@/lib/project/get-progress'
import { t } from '@/messages/past-work'
import styles from './own-figures.module.css'

const labels: readonly Label[] = ['good', 'bad', 'unsure']
const week = 7

/** What the person did: in all, today and this week, how long an answer took, and how the answers are spread. */
export function OwnFigures({ slug }: { slug: string }) {
  const mine = useProgress(slug).data?.mine
  const days = useOwnDays(slug).data?.days
  if (!mine || !days) return <div className={styles.figures} />
  const sum = (of: (day: OwnDay) => number, n = days.length) => days.slice(-n).reduce((all, day) => all + of(day), 0)
  const timed = sum(({ n_timed: n }) => n)
  const pace = timed > 0 ? sum(({ ms }) => ms) / timed / 1000 : null
  const all = sum(answers)
  return (
    <div className={styles.figures}>
      <KeyFigures
        figures={[
          { name: t.figureAnswers, value: formatCount(mine.judgments_total) },
          { name: t.figureTasks, value: formatCount(mine.submitted_total) },
          { name: t.figureToday, value: formatCount(sum(answers, 1)) },
          { name: t.figureWeek, value: formatCount(sum(answers, week)) },
          { name: t.figurePace, value: pace === null ? '—' : formatDuration(Math.max(1, Math.round(pace))) },
        ]}
      />
      {all > 0 && <Split counts={labels.map((label) => [label, sum((day) => day.labels[label])])} all={all} />}
    </div>
  )
}

const answers = ({ labels: { good, bad, unsure } }: OwnDay): number => good + bad + unsure

/** One bar of the answers by label; the words under it say the same. */
function Split({ counts, all }: { counts: readonly (readonly [Label, number])[]; all: number }) {
  const looks = useLabelLooks()
  return (
    <section className={styles.split} aria-label={t.figureSplit}>
      <div className={styles.bar} aria-hidden="true">
        {counts.map(([label, n]) => (
          <span key={label} className={styles[label]} style={{ flexGrow: n }} />
        ))}
      </div>
      <p className={styles.words}>
        {counts.map(([label, n]) => (
          <span key={label}>
            {looks[label].word} <b>{formatWholeShare(n / all)}</b>
          </span>
        ))}
        <span>{t.figureSplit}</span>
      </p>
    </section>
  )
}
