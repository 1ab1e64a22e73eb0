import { useLocation, useNavigate } from '@tanstack/react-router'
import { Button } from '@/components/ui/button'
import { Menu } from '@/components/ui/menu'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/shell'
import { pagesFor } from './project-pages'

/** The project's pages where the top bar has no room for a row of links. */
export function PageMenu({ project }: { project: Project }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const params = { slug: project.slug }
  const pages = pagesFor(project.role)
  const here = pages.find((page) => pathname.startsWith(page.to.replace('$slug', project.slug)))
  const entries = pages.map((page) => ({
    id: page.to,
    label: page.label,
    onAction: () => void navigate({ to: page.to, params }),
  }))
  return (
    <Menu
      label={t.projectPages}
      trigger={
        <Button variant="quiet" size="small" icon="chevronDown">
          {here?.label ?? t.pages}
        </Button>
      }
      entries={entries}
    />
  )
}
