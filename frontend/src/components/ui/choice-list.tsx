import { ListBox, ListBoxItem, Popover } from 'react-aria-components'
import menus from './menu.module.css'

export interface Choice<Value extends string> {
  value: Value
  label: string
  detail?: string
}

/** The list that a select opens. */
export function ChoiceList({ choices }: { choices: readonly Choice<string>[] }) {
  return (
    <Popover className={menus.popover}>
      <ListBox className={menus.menu} items={choices.map((choice) => ({ id: choice.value, ...choice }))}>
        {(choice) => (
          <ListBoxItem className={menus.item} id={choice.id} textValue={choice.label}>
            <span>{choice.label}</span>
            {choice.detail && <small className={menus.detail}>{choice.detail}</small>}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  )
}
