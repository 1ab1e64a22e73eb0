import { useRef } from 'react'
import { Icon } from '@/components/ui/icon'
import { ProgressBar } from '@/components/ui/progress-bar'
import type { Project } from '@/lib/api/contract'
import { formatDuration } from '@/lib/format/duration'
import { formatCount } from '@/lib/format/numbers'
import { useIsSeen } from '@/lib/layout/use-is-seen'
import { useProgress } from '@/lib/project/get-progress'
import { workLeft } from '@/lib/project/work-left'
import { t } from '@/messages/projects'
import { isAllDone } from '../state/next-page'
import { Count } from './count'
import styles from './project-entry.module.css'

/** What an annotator has done and can still do here; asked for once the entry is on the screen. */
export function OwnFigures({ project }: { project: Project }) {
  const place = useRef<HTMLDivElement>(null)
  const progress = useProgress(project.slug, useIsSeen(place)).data
  if (!progress) return <div ref={place} className={styles.own} />
  const most = project.hits_per_annotator
  const work = workLeft(progress, most)
  const { done, total, minutes } = work
  const { submitted_today: today, judgments_total: answers } = progress.mine
  return (
    <div ref={place} className={styles.own}>
      <dl className={styles.counts}>
        <Count of={total - done} name={t.tasksLeft({ n: total - done })} />
        <Count of={today} name={t.sentToday} />
        <Count of={answers} name={t.ownAnswers({ n: answers })} />
      </dl>
      {total > 0 && (
        <div className={styles.progress}>
          <ProgressBar label={t.ownTasks} value={done} max={total} />
          <span>
            {t.ownTasksOf({ done: formatCount(done), all: formatCount(total) })}
            {minutes !== null && total > done && `, ${t.aboutSoLong({ time: formatDuration(minutes * 60) })}`}
          </span>
        </div>
      )}
      {isAllDone(work) && (
        <p className={styles.over}>
          <Icon name="check" />
          <span>{most !== null && done >= most ? t.overAtLimit({ most }) : t.overForNow}</span>
        </p>
      )}
    </div>
  )
}
