import { Button as AriaButton } from 'react-aria-components'
import { buttonClass, ButtonFace, type ButtonLook, iconClass } from './button'
import { Icon, type IconName } from './icon'

interface Named {
  'aria-label'?: string
  isPending?: boolean
}

export interface TriggerButtonProps extends Named, Omit<ButtonLook, 'shortcut' | 'isShortcutIdle'> {
  /** Its name, for who points at it, where the words on it do not say it. */
  tip?: string | undefined
}

/** Looks like any button, and opens the menu or the file dialog of react-aria that it stands in. */
export function TriggerButton({ variant, size, icon, className, tip, children, ...named }: TriggerButtonProps) {
  return (
    <AriaButton {...named} data-tip={tip} className={buttonClass({ variant, size, className })}>
      <ButtonFace {...{ size, icon }}>{children}</ButtonFace>
    </AriaButton>
  )
}

export interface IconTriggerProps extends Named {
  icon: IconName
  'aria-label': string
}

/** The same without words. */
export function IconTrigger({ icon, ...named }: IconTriggerProps) {
  return (
    <AriaButton {...named} data-tip={named['aria-label']} className={iconClass()}>
      <Icon name={icon} />
    </AriaButton>
  )
}
