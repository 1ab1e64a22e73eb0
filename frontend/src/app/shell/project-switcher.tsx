import { useNavigate } from '@tanstack/react-router'
import { Button } from '@/components/ui/button'
import { Menu } from '@/components/ui/menu'
import type { Project } from '@/lib/api/contract'
import { useProjects } from '@/lib/project/get-projects'
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
  const all = { id: ' all', label: 'All projects', onAction: () => void navigate({ to: '/' }) }
  return (
    <Menu
      label="Projects"
      trigger={
        <Button
          variant="quiet"
          size="small"
          className={styles.projectName ?? ''}
          aria-label={`${current.name}, change project`}
        >
          {current.name}
        </Button>
      }
      entries={[...entries, all]}
    />
  )
}
