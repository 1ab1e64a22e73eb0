import { Link } from '@tanstack/react-router'
import { ProgressBar } from '@/components/ui/progress-bar'
import { formatCount } from '@/lib/format/numbers'
import { useOverview } from '@/lib/project/get-overview'
import { t } from '@/messages/runs'
import styles from './people-at-work.module.css'

const most = 8

/** Who did how many tasks: a bar for each person, the busiest first. */
export function PeopleAtWork({ slug }: { slug: string }) {
  const overview = useOverview(slug).data
  if (!overview || overview.people.length === 0) return null
  const busiest = [...overview.people].sort((a, b) => b.hits - a.hits).slice(0, most)
  const longest = Math.max(1, ...busiest.map(({ hits }) => hits))
  return (
    <>
      <ul className={styles.people} aria-label={t.tasksByPerson}>
        {busiest.map(({ user, hits, hits_today: today }) => {
          const name = user.display_name || user.username
          return (
            <li key={user.id}>
              <Link
                to="/projects/$slug/quality/annotators/$annotatorId"
                params={{ slug, annotatorId: String(user.id) }}
                className={styles.name}
                title={name}
              >
                {name}
              </Link>
              <ProgressBar label={t.tasksOf({ name })} value={hits} max={longest} />
              <span className={styles.n} title={t.tasksToday({ n: today })}>
                {formatCount(hits)}
              </span>
            </li>
          )
        })}
      </ul>
      {overview.n_people > busiest.length && (
        <Link to="/projects/$slug/quality" params={{ slug }} search={{ tab: 'annotators' }} className={styles.all}>
          {t.allPeople({ n: overview.n_people })}
        </Link>
      )}
    </>
  )
}
