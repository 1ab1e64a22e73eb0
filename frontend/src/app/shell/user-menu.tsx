import { Menu } from '@/components/ui/menu'
import { IconTrigger } from '@/components/ui/trigger-button'
import { useLiveActions } from '@/lib/actions/action-context'
import { useMe } from '@/lib/session/get-session'
import { t } from '@/messages/shell'

const menuActions = ['go.profile', 'palette.open', 'help.open', 'session.end']

/** The person's name and what concerns them; every entry is an action of the registry. */
export function UserMenu() {
  const me = useMe()
  const actions = useLiveActions()
  if (!me) return null
  const entries = menuActions.flatMap((id) => {
    const action = actions.find((each) => each.id === id)
    return action ? [{ id, label: action.name, onAction: () => action.perform() }] : []
  })
  const name = me.display_name || me.username
  return (
    <Menu label={name} trigger={<IconTrigger icon="person" aria-label={t.account({ name })} />} entries={entries} />
  )
}
