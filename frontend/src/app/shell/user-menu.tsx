import { useNavigate, useParams } from '@tanstack/react-router'
import { Menu } from '@/components/ui/menu'
import { IconTrigger } from '@/components/ui/trigger-button'
import { useLiveActions } from '@/lib/actions/action-context'
import { useProject } from '@/lib/project/get-project'
import { useMe } from '@/lib/session/get-session'
import { t } from '@/messages/shell'
import { annotators, projectPages } from './project-pages'

const menuActions = ['go.profile', 'palette.open', 'help.open', 'session.end']
const ownPages = projectPages.filter(({ roles }) => roles === annotators)

/** The person's name and what concerns them: actions of the registry, and their own work where the bar leaves it out. */
export function UserMenu() {
  const me = useMe()
  const own = useOwnPages()
  const actions = useLiveActions()
  if (!me) return null
  const entries = menuActions.flatMap((id) => {
    const action = actions.find((each) => each.id === id)
    return action ? [{ id, label: action.name, onAction: () => action.perform() }] : []
  })
  const name = me.display_name || me.username
  return (
    <Menu
      label={name}
      trigger={<IconTrigger icon="person" aria-label={t.account({ name })} />}
      entries={[...own, ...entries]}
    />
  )
}

/** Who runs a project may judge in it, too: their past work and their inbox stand here instead of among its pages. */
function useOwnPages() {
  const navigate = useNavigate()
  const { slug } = useParams({ strict: false })
  const role = useProject(slug).data?.role
  if (!slug || !role || annotators.includes(role)) return []
  return ownPages.map(({ to, label }) => ({
    id: to,
    label,
    onAction: () => void navigate({ to, params: { slug } }),
  }))
}
