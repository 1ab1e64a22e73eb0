import { useNavigate } from '@tanstack/react-router'
import { Menu } from '@/components/ui/menu'
import { TriggerButton } from '@/components/ui/trigger-button'
import type { Project } from '@/lib/api/contract'
import { useProjects } from '@/lib/project/get-projects'
import { t } from '@/messages/shell'
import rail from './navigation.module.css'
import styles from './shell.module.css'

export interface ProjectSwitcherProps {
  current: Project
  /** In the sidebar: as wide as it, or only its first letter. */
  isInRail?: boolean
  isSmall?: boolean
}

/** The current project's name; opens the list of the others. */
export function ProjectSwitcher({ current, isInRail = false, isSmall = false }: ProjectSwitcherProps) {
  const navigate = useNavigate()
  const projects = useProjects().data?.pages.flatMap((page) => page.results) ?? [current]
  const entries = projects.map((project) => ({
    id: project.slug,
    label: project.name,
    onAction: () => void navigate({ to: '/projects/$slug', params: { slug: project.slug } }),
  }))
  const all = { id: ' all', label: t.allProjects, onAction: () => void navigate({ to: '/' }) }
  return (
    <Menu
      label={t.projects}
      trigger={
        <TriggerButton
          variant="quiet"
          size="small"
          {...(isInRail && !isSmall && { icon: 'chevronDown' as const })}
          className={(isInRail ? rail.switcher : styles.projectName) ?? ''}
          aria-label={t.changeProject({ name: current.name })}
          tip={isSmall ? current.name : undefined}
        >
          {isSmall ? /^./u.exec(current.name)?.[0] : current.name}
        </TriggerButton>
      }
      entries={[...entries, all]}
    />
  )
}
