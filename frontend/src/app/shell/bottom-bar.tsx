import { Link, useLocation } from '@tanstack/react-router'
import { UnreadMark } from '@/components/ui/unread-mark'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/shell'
import styles from './navigation.module.css'
import { isWithin, navEntriesFor } from './project-pages'
import { iconOf, RailIcon } from './rail-icon'
import { markOf, useMarks } from './use-marks'

/** The groups of the project under the thumb, on a phone. */
export function BottomBar({ project }: { project: Project }) {
  const { slug } = project
  const { pathname } = useLocation()
  const marks = useMarks(project)
  return (
    <nav aria-label={t.project} className={styles.bottom}>
      {navEntriesFor(project).map((entry) => (
        <Link
          key={entry.id}
          to={entry.pages[0].to}
          params={{ slug }}
          className={styles.bottomLink}
          data-within={isWithin(entry, slug, pathname) || undefined}
        >
          <RailIcon name={iconOf(entry)} />
          <span>{entry.label}</span>
          <span className={styles.count}>
            <UnreadMark {...markOf(entry.pages, marks)} />
          </span>
        </Link>
      ))}
    </nav>
  )
}
