import type { ReactElement } from 'react'
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import styles from './menu.module.css'

export interface MenuEntry {
  id: string
  label: string
  detail?: string
  isDisabled?: boolean
  onAction: () => void
}

export interface MenuProps {
  label: string
  /** What opens it: a `TriggerButton` or an `IconTrigger`. */
  trigger: ReactElement
  entries: readonly MenuEntry[]
}

export function Menu({ label, trigger, entries }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover} placement="bottom end">
        <AriaMenu className={styles.menu} aria-label={label}>
          {entries.map((entry) => (
            <MenuItem
              key={entry.id}
              id={entry.id}
              className={styles.item}
              textValue={entry.label}
              isDisabled={entry.isDisabled ?? false}
              onAction={entry.onAction}
            >
              <span>{entry.label}</span>
              {entry.detail && <small className={styles.detail}>{entry.detail}</small>}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
