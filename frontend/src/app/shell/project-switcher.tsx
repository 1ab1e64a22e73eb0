import { useNavigate } from '@tanstack/react-router'
import { Menu } from '@/components/ui/menu'
import { TriggerButton } from '@/components/ui/trigger-button'
import type { Project } from '@/lib/api/contract'
import { useProjects } from '@/lib/project/get-projects'
import { t } from '@/messages/shell'
import styles from './shell.module.css'

/** The current project's name; opens the list of the others. */
export function ProjectSwitcher({ current }: { current: Project }) {
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
          className={styles.projectName ?? ''}
          aria-label={t.changeProject({ name: current.name })}
        >
          {current.name}
        </TriggerButton>
      }
      entries={[...entries, all]}
    />
  )
}
