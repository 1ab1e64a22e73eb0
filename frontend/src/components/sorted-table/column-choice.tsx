import { type ReactNode, useState } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Icon } from '@/components/ui/icon'
import menus from '@/components/ui/menu.module.css'
import type { TableColumn } from '@/components/ui/table'
import { TriggerButton } from '@/components/ui/trigger-button'
import { t } from '@/messages/chart'
import { keepHidden, readHidden } from './hidden-columns'
import styles from './sorted-table.module.css'

type Named = Pick<TableColumn<never>, 'id' | 'title' | 'isRowHeader' | 'isTitleHidden'>

/** The name of a row and its buttons always show. */
const isFree = ({ isRowHeader, isTitleHidden }: Named, at: number): boolean =>
  !(isRowHeader ?? at === 0) && !isTitleHidden

/** The columns that the person wants to see, as this browser remembers them, and the menu to change them. */
export function useColumns<Column extends Named>(table: string | undefined, columns: readonly Column[]) {
  const [hidden, setHidden] = useState(() => (table ? readHidden(table) : []))
  const free = columns.filter(isFree)
  const shown = columns.filter((column, at) => !isFree(column, at) || !hidden.includes(column.id))
  const menu: ReactNode = table && (
    <MenuTrigger>
      <TriggerButton size="small" variant="quiet" icon="settings">
        {t.columns}
      </TriggerButton>
      <Popover className={menus.popover} placement="bottom end">
        <Menu
          className={menus.menu}
          aria-label={t.columns}
          selectionMode="multiple"
          selectedKeys={free.filter(({ id }) => !hidden.includes(id)).map(({ id }) => id)}
          onSelectionChange={(keys) => {
            const isOn = (id: string) => keys === 'all' || keys.has(id)
            const next = free.filter(({ id }) => !isOn(id)).map(({ id }) => id)
            setHidden(next)
            keepHidden(table, next)
          }}
        >
          {free.map(({ id, title }) => (
            <MenuItem key={id} id={id} className={menus.item} textValue={title}>
              {({ isSelected }) => (
                <span className={styles.choice}>
                  <span className={styles.tick}>{isSelected && <Icon name="check" size={14} />}</span>
                  {title}
                </span>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
  return { shown, menu }
}
