import type { ReactNode } from 'react'
import styles from './button.module.css'
import { cx } from './cx'
import { Icon, type IconName } from './icon'
import { KeyCap } from './key-cap'
import { Pressable, type PressableProps } from './pressable'

export interface ButtonLook {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'small' | 'medium' | 'large'
  icon?: IconName
  /** A key printed behind the label, from the action registry. */
  shortcut?: string | undefined
  /** Keeps the place of a key that does not act now, so that nothing moves when it does. */
  isShortcutIdle?: boolean
  className?: string
  children: ReactNode
}

export type ButtonProps = ButtonLook & Omit<PressableProps, keyof ButtonLook | 'style'>

export function Button({ variant, size, icon, shortcut, isShortcutIdle, className, children, ...rest }: ButtonProps) {
  return (
    <Pressable {...rest} className={buttonClass({ variant, size, className })}>
      <ButtonFace {...{ size, icon, shortcut, isShortcutIdle }}>{children}</ButtonFace>
    </Pressable>
  )
}

type Unset<Look> = { [Name in keyof Look]?: Look[Name] | undefined }

export const buttonClass = ({ variant, size, className }: Unset<ButtonLook>): string =>
  cx(styles.button, styles[variant ?? 'secondary'], styles[size ?? 'medium'], className)

export function ButtonFace({ size, icon, shortcut, isShortcutIdle = false, children }: Unset<ButtonLook>) {
  return (
    <>
      {icon && <Icon name={icon} size={size === 'small' ? 16 : 18} />}
      <span>{children}</span>
      {shortcut && <KeyCap keyName={shortcut} isIdle={isShortcutIdle} />}
    </>
  )
}

export interface IconButtonProps extends Omit<PressableProps, 'className' | 'children' | 'style' | 'aria-label'> {
  icon: IconName
  'aria-label': string
  /** A key told with its name, where the pointer rests on it. */
  tipKey?: string | undefined
  className?: string
}

export function IconButton({ icon, tipKey, className, ...rest }: IconButtonProps) {
  return (
    <Pressable {...rest} data-tip={rest['aria-label']} data-tip-key={tipKey} className={iconClass(className)}>
      <Icon name={icon} />
    </Pressable>
  )
}

export const iconClass = (className?: string): string => cx(styles.button, styles.quiet, styles.iconOnly, className)
