import { useLocation, useNavigate } from '@tanstack/react-router'
import { Menu } from '@/components/ui/menu'
import { TriggerButton } from '@/components/ui/trigger-button'
import type { Project } from '@/lib/api/contract'
import { formatCount } from '@/lib/format/numbers'
import { useUnread } from '@/lib/remarks/get-unread'
import { t } from '@/messages/shell'
import { inboxPage, pagesFor } from './project-pages'

/** The project's pages where the top bar has no room for a row of links. */
export function PageMenu({ project }: { project: Project }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const unread = useUnread(project.slug)
  const params = { slug: project.slug }
  const pages = pagesFor(project)
  const here = pages.find((page) => pathname.startsWith(page.to.replace('$slug', project.slug)))
  const entries = pages.map((page) => ({
    id: page.to,
    label: page.to === inboxPage && unread > 0 ? `${page.label} (${formatCount(unread)})` : page.label,
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
