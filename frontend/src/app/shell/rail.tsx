import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ActionIconButton } from '@/components/ui/action-button'
import { IconButton } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { UnreadMark } from '@/components/ui/unread-mark'
import type { Project } from '@/lib/api/contract'
import { t as said } from '@/messages/navigation'
import { t } from '@/messages/shell'
import styles from './navigation.module.css'
import { isWithin, type NavEntry, navEntriesFor } from './project-pages'
import { ProjectSwitcher } from './project-switcher'
import { iconOf, RailIcon, type RailIconName } from './rail-icon'
import { Tools } from './tools'
import { markOf, type Marks, useMarks } from './use-marks'

export interface RailProps {
  /** Left out on the pages of no project. */
  project: Project | undefined
  isSmall: boolean
  mayToggle: boolean
  unfolded: readonly string[]
  onFold: (group: string) => void
}

/** The sidebar: the project, its groups of pages, and at the foot what every page has. */
export function Rail({ project, isSmall, mayToggle, unfolded, onFold }: RailProps) {
  return (
    <header className={cx(styles.rail, isSmall && styles.small)}>
      <div className={styles.head}>
        <Link to="/" className={styles.mark} aria-label={t.homeLink} data-tip={isSmall ? t.projects : undefined}>
          <img src="/assets/mark.svg" alt="" width={22} height={22} />
          {!isSmall && <span>Connote</span>}
        </Link>
        {mayToggle && <ActionIconButton id="rail.toggle" icon="sidebar" />}
      </div>
      {project && <ProjectSwitcher current={project} isSmall={isSmall} isInRail />}
      {project ? (
        <ProjectGroups {...{ project, isSmall, unfolded, onFold }} />
      ) : (
        <nav aria-label={said.mainPages} className={styles.nav}>
          <ul>
            <li>
              <Link to="/" activeOptions={{ exact: true }} className={styles.entry} {...tip(t.projects, isSmall)}>
                <Face icon="overview" label={t.projects} isSmall={isSmall} />
              </Link>
            </li>
            <li>
              <Link to="/profile" className={styles.entry} {...tip(t.profile, isSmall)}>
                <Face icon="person" label={t.profile} isSmall={isSmall} />
              </Link>
            </li>
          </ul>
        </nav>
      )}
      <div className={styles.foot}>
        <Link to="/help" className={styles.entry} {...tip(said.help, isSmall)}>
          <Face icon="book" label={said.help} isSmall={isSmall} />
        </Link>
        <a href="/api/docs" className={styles.entry} {...tip(said.apiDocs, isSmall)}>
          <Face icon="code" label={said.apiDocs} isSmall={isSmall} />
        </a>
        <div className={styles.tools}>
          <Tools />
        </div>
      </div>
    </header>
  )
}

const tip = (words: string, isSmall: boolean) => (isSmall ? { 'data-tip': words } : {})

interface FaceProps {
  icon: RailIconName
  label: string
  isSmall: boolean
  children?: ReactNode
}

function Face({ icon, label, isSmall, children }: FaceProps) {
  return (
    <>
      <RailIcon name={icon} />
      <span className={isSmall ? 'visually-hidden' : styles.label}>{label}</span>
      {children}
    </>
  )
}

type GroupsProps = Pick<RailProps, 'isSmall' | 'unfolded' | 'onFold'> & { project: Project }

function ProjectGroups({ project, ...rail }: GroupsProps) {
  const marks = useMarks(project)
  const { pathname } = useLocation()
  return (
    <nav aria-label={t.project} className={styles.nav}>
      <ul>
        {navEntriesFor(project).map((entry) => (
          <Group
            key={entry.id}
            {...rail}
            entry={entry}
            slug={project.slug}
            marks={marks}
            isHere={isWithin(entry, project.slug, pathname)}
          />
        ))}
      </ul>
    </nav>
  )
}

interface GroupProps extends Omit<GroupsProps, 'project'> {
  entry: NavEntry
  slug: string
  marks: Marks
  isHere: boolean
}

/** A group is a link to its first page. The pages of the open one, and of those the person unfolded, stand under it. */
function Group({ entry, slug, marks, isHere, isSmall, unfolded, onFold }: GroupProps) {
  const { id, label, pages } = entry
  const mayUnfold = pages.length > 1 && !isSmall
  const isUnfolded = mayUnfold && (isHere || unfolded.includes(id))
  const face = (
    <Face icon={iconOf(entry)} label={label} isSmall={isSmall}>
      {!isUnfolded && (
        <span className={styles.count}>
          <UnreadMark {...markOf(pages, marks)} />
        </span>
      )}
    </Face>
  )
  return (
    <li>
      <div className={styles.group}>
        {isUnfolded && isHere ? (
          <p className={cx(styles.entry, styles.here)}>{face}</p>
        ) : (
          <Link
            to={pages[0].to}
            params={{ slug }}
            className={styles.entry}
            data-within={isHere || undefined}
            {...tip(label, isSmall)}
          >
            {face}
          </Link>
        )}
        {mayUnfold && !isHere && (
          <IconButton
            icon={isUnfolded ? 'chevronDown' : 'chevronRight'}
            aria-label={said.showPages({ group: label })}
            aria-expanded={isUnfolded}
            className={styles.fold ?? ''}
            onPress={() => onFold(id)}
          />
        )}
      </div>
      {isUnfolded && (
        <ul className={styles.pages}>
          {pages.map((page) => (
            <li key={page.to}>
              <Link to={page.to} params={{ slug }} className={styles.page}>
                {page.label}
                <UnreadMark {...markOf([page], marks)} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
