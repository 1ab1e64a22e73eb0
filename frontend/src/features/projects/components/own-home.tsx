import { Link } from '@tanstack/react-router'
import { RelativeTime } from '@/components/ui/relative-time'
import { useOwnDays } from '@/lib/annotators/get-own-days'
import type { Project } from '@/lib/api/contract'
import { useUnread } from '@/lib/feedback/get-unread'
import { useProgress } from '@/lib/project/get-progress'
import { workLeft } from '@/lib/project/work-left'
import { t } from '@/messages/home'
import { useNewestTasks } from '../api/get-newest-tasks'
import { HomePanes, LastDays } from './home-panes'
import styles from './one-project.module.css'

/** For an annotator: the own answers, what waits for them, and the last tasks with their pictures. */
export function OwnHome({ project }: { project: Project }) {
  const { slug } = project
  const days = useOwnDays(slug).data?.days
  const progress = useProgress(slug).data
  const unread = useUnread(slug)
  const tasks = useNewestTasks(slug)
  const today = days?.at(-1)?.day
  if (!days || !today || !progress) return null
  const { total, done } = workLeft(progress, project.hits_per_annotator)
  return (
    <HomePanes
      slug={slug}
      waiting={[
        { n: total - done, words: t.ownTasks, to: '/projects/$slug/annotate' },
        { n: unread, words: t.unreadFeedback, to: '/projects/$slug/inbox' },
        { n: progress.mine.submitted_total, words: t.submittedTasks, to: '/projects/$slug/past-work' },
      ]}
      chart={<LastDays project={project} title={t.ownAnswers} days={days} today={today} how={t.howOwnAnswers} />}
    >
      {tasks.length > 0 && (
        <section aria-labelledby="home-tasks">
          <h2 id="home-tasks" className={styles.title}>
            {t.lastTasks}
          </h2>
          <ul className={styles.pictures}>
            {tasks.map((task) => {
              const small = (task.image ?? task.items[0]?.image)?.thumbnail.small
              return (
                <li key={task.id}>
                  <Link to="/projects/$slug/past-work/$assignmentId" params={{ slug, assignmentId: task.id }}>
                    {small && <img src={small.url} alt="" width={small.width} height={small.height} />}
                    <span className={styles.when}>
                      {t.taskSent} <RelativeTime at={task.submitted_at ?? task.expires_at} />
                    </span>
                  </Link>
                </li>
              )
            })}
          </ul>
        </section>
      )}
    </HomePanes>
  )
}
