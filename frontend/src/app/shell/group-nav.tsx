import { Link, useLocation } from '@tanstack/react-router'
import { useRef } from 'react'
import { UnreadMark } from '@/components/ui/unread-mark'
import type { Project } from '@/lib/api/contract'
import { useOpenInView } from '@/lib/layout/use-open-in-view'
import { t } from '@/messages/navigation'
import styles from './navigation.module.css'
import { isWithin, navEntriesFor } from './project-pages'
import { markOf, useMarks } from './use-marks'

/** The pages of the open group above the page, where the sidebar shows only signs. Nothing where it is one page. */
export function GroupNav({ project }: { project: Project }) {
  const { slug } = project
  const { pathname } = useLocation()
  const marks = useMarks(project)
  const line = useRef<HTMLElement>(null)
  useOpenInView(line, pathname)
  const open = navEntriesFor(project).find((entry) => isWithin(entry, slug, pathname))
  if (!open || open.pages.length < 2) return null
  return (
    <nav ref={line} aria-label={t.pagesOf({ group: open.label })} className={styles.groupNav} data-group-nav>
      {open.pages.map((page) => (
        <Link key={page.to} to={page.to} params={{ slug }} className={styles.groupLink}>
          {page.label}
          <UnreadMark {...markOf([page], marks)} />
        </Link>
      ))}
    </nav>
  )
}
