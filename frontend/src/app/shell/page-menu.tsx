import { useLocation, useNavigate } from '@tanstack/react-router'
import { Menu } from '@/components/ui/menu'
import { TriggerButton } from '@/components/ui/trigger-button'
import type { Project } from '@/lib/api/contract'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/shell'
import { pagesFor } from './project-pages'
import { useMarks } from './use-marks'

/** The project's pages where the top bar has no room for a row of links. */
export function PageMenu({ project }: { project: Project }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const marks = useMarks(project)
  const params = { slug: project.slug }
  const pages = pagesFor(project)
  const here = pages.find((page) => pathname.startsWith(page.to.replace('$slug', project.slug)))
  const entries = pages.map((page) => ({
    id: page.to,
    label: marks[page.to] ? `${page.label} (${formatCount(marks[page.to] ?? 0)})` : page.label,
    onAction: () => void navigate({ to: page.to, params }),
  }))
  return (
    <Menu
      label={t.projectPages}
      trigger={
        <TriggerButton variant="quiet" size="small" icon="chevronDown">
          {here?.label ?? t.pages}
        </TriggerButton>
      }
      entries={entries}
    />
  )
}
