import { Link, useLocation } from '@tanstack/react-router'
import { UnreadMark } from '@/components/ui/unread-mark'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/shell'
import { PageMenu } from './page-menu'
import { isWithin, navEntriesFor } from './project-pages'
import styles from './shell.module.css'
import { markOf, useMarks } from './use-marks'

/** The pages of the project in the line above the judging page; a menu where the line is short. */
export function BarLinks({ project }: { project: Project }) {
  const marks = useMarks(project)
  const { pathname } = useLocation()
  return (
    <>
      <div className={styles.pageMenu}>
        <PageMenu project={project} />
      </div>
      <nav aria-label={t.project} className={styles.nav}>
        {navEntriesFor(project).map((entry) => (
          <Link
            key={entry.id}
            to={entry.pages[0].to}
            params={{ slug: project.slug }}
            className={styles.navLink}
            data-within={isWithin(entry, project.slug, pathname) || undefined}
          >
            {entry.label}
            <UnreadMark {...markOf(entry.pages, marks)} />
          </Link>
        ))}
      </nav>
    </>
  )
}
