import { Link, useParams } from '@tanstack/react-router'
import type { Project } from '@/lib/api/contract'
import { onDemand } from '@/lib/on-demand'
import { useProject } from '@/lib/project/get-project'
import { t } from '@/messages/shell'
import styles from './shell.module.css'
import { Tools } from './tools'

// Menus bring the whole collection machinery with them; they come after the page is drawn.
const ProjectSwitcher = onDemand(
  () => import('./project-switcher').then((module) => module.ProjectSwitcher),
  ({ current }: { current: Project }) => <span className={styles.projectName}>{current.name}</span>,
)
const BarLinks = onDemand(() => import('./bar-links').then((module) => module.BarLinks))

/** The one line above the judging page; on a phone above every page, there without the pages of the project. */
export function TopBar({ hasPages = true }: { hasPages?: boolean }) {
  const { slug } = useParams({ strict: false })
  const project = useProject(slug).data
  return (
    <header className={styles.bar}>
      <Link to="/" className={styles.mark} aria-label={t.homeLink}>
        <img src="/assets/mark.svg" alt="" width={22} height={22} />
        <span>Connote</span>
      </Link>
      {project && <ProjectSwitcher current={project} />}
      {project && hasPages && <BarLinks project={project} />}
      <div className={styles.tools}>
        <Tools />
      </div>
    </header>
  )
}
