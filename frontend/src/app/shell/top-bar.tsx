import { Link, useLocation, useParams } from '@tanstack/react-router'
import { IconButton } from '@/components/ui/button'
import type { IconName } from '@/components/ui/icon'
import { UnreadMark } from '@/components/ui/unread-mark'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import type { Project, ThemeName } from '@/lib/api/contract'
import { onDemand } from '@/lib/on-demand'
import { useProject } from '@/lib/project/get-project'
import { useTheme } from '@/lib/theme/use-theme'
import { t } from '@/messages/shell'
import { isOpen, navEntriesFor, reviewPage } from './project-pages'
import styles from './shell.module.css'
import { useMarks } from './use-marks'

// Menus bring the whole collection machinery with them; they come after the page is drawn.
const ProjectSwitcher = onDemand(
  () => import('./project-switcher').then((module) => module.ProjectSwitcher),
  ({ current }: { current: Project }) => <span className={styles.projectName}>{current.name}</span>,
)
const PageMenu = onDemand(() => import('./page-menu').then((module) => module.PageMenu))
const UserMenu = onDemand(() => import('./user-menu').then((module) => module.UserMenu))

export function TopBar() {
  const { slug } = useParams({ strict: false })
  return (
    <header className={styles.bar}>
      <Link to="/" className={styles.mark} aria-label={t.homeLink}>
        <img src="/assets/mark.svg" alt="" width={22} height={22} />
        <span>Connote</span>
      </Link>
      {slug && <ProjectNav slug={slug} />}
      <div className={styles.tools}>
        <ThemeToggle />
        <ActionIcon id="help.open" icon="question" />
        <span className={styles.menuSpace}>
          <UserMenu />
        </span>
      </div>
    </header>
  )
}

function ProjectNav({ slug }: { slug: string }) {
  const project = useProject(slug).data
  return project && <ProjectLinks project={project} />
}

function ProjectLinks({ project }: { project: Project }) {
  const marks = useMarks(project)
  const { pathname } = useLocation()
  return (
    <>
      <ProjectSwitcher current={project} />
      <div className={styles.pageMenu}>
        <PageMenu project={project} />
      </div>
      <nav aria-label={t.project} className={styles.nav}>
        {navEntriesFor(project).map(({ label, pages }) => (
          <Link
            key={label}
            to={pages[0].to}
            params={{ slug: project.slug }}
            className={styles.navLink}
            data-within={pages.some((page) => isOpen(page, project.slug, pathname)) || undefined}
          >
            {label}
            <UnreadMark
              n={marks[pages[0].to] ?? 0}
              {...(pages[0].to === reviewPage && { words: t.openCases({ n: marks[pages[0].to] ?? 0 }) })}
            />
          </Link>
        ))}
      </nav>
    </>
  )
}

const themeIcons: Record<ThemeName, IconName> = { system: 'system', light: 'sun', dark: 'moon', contrast: 'contrast' }
const themeWords: Record<ThemeName, string> = {
  system: t.themeSystem,
  light: t.themeLight,
  dark: t.themeDark,
  contrast: t.themeContrast,
}

function ThemeToggle() {
  const { theme, next, cycle } = useTheme()
  const words = t.themeIs({ theme: themeWords[theme], next: themeWords[next] })
  return <IconButton icon={themeIcons[theme]} aria-label={words} onPress={cycle} />
}

function ActionIcon({ id, icon }: { id: string; icon: IconName }) {
  const action = useAction(id)
  if (!action) return null
  return (
    <IconButton
      icon={icon}
      aria-label={action.name}
      keyShortcuts={ariaShortcuts(action.keys)}
      tipKey={action.keys[0]}
      onPress={() => action.perform()}
      className={styles.helpButton ?? ''}
    />
  )
}
