import { Link, useLocation } from '@tanstack/react-router'
import { useProject } from '@/lib/project/get-project'
import { t } from '@/messages/shell'
import { isOpen, navEntriesFor } from './project-pages'
import styles from './shell.module.css'

/** The other pages of the open page's group, above the page. Draws nothing on a page without a group. */
export function GroupNav({ slug }: { slug: string }) {
  const project = useProject(slug).data
  const { pathname } = useLocation()
  const entries = project ? navEntriesFor(project) : []
  const open = entries.find(({ pages }) => pages.some((page) => isOpen(page, slug, pathname)))
  if (!open || open.pages.length < 2) return null
  return (
    <nav aria-label={t.pagesOf({ group: open.label })} className={styles.groupNav}>
      {open.pages.map((page) => (
        <Link key={page.to} to={page.to} params={{ slug }} className={styles.navLink}>
          {page.label}
        </Link>
      ))}
    </nav>
  )
}
