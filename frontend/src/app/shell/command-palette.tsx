import { Autocomplete, Input, Menu, MenuItem, SearchField, useFilter } from 'react-aria-components'
import { Dialog } from '@/components/ui/dialog'
import fields from '@/components/ui/field.module.css'
import { KeyCap } from '@/components/ui/key-cap'
import menus from '@/components/ui/menu.module.css'
import type { Action } from '@/lib/actions/action'
import { useLiveActions } from '@/lib/actions/action-context'
import styles from './command-palette.module.css'

/** Every verb that makes sense right now, found by its name. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const { contains } = useFilter({ sensitivity: 'base' })
  const actions = useLiveActions().filter((action) => action.id !== 'palette.open' && (action.when?.() ?? true))
  const run = (action: Action) => {
    onClose()
    action.perform()
  }
  return (
    <Dialog title="Find a command" isOpen onClose={onClose}>
      <Autocomplete filter={contains}>
        <SearchField aria-label="Command" autoFocus>
          <Input className={fields.input} placeholder="Type a verb" />
        </SearchField>
        <Menu aria-label="Commands" className={styles.list} renderEmptyState={() => 'No command has that name here.'}>
          {actions.map((action) => (
            <MenuItem
              key={action.id}
              id={action.id}
              className={`${menus.item ?? ''} ${styles.line ?? ''}`}
              textValue={action.name}
              onAction={() => run(action)}
            >
              <span>{action.name}</span>
              {action.keys[0] && <KeyCap keyName={action.keys[0]} />}
            </MenuItem>
          ))}
        </Menu>
      </Autocomplete>
    </Dialog>
  )
}
