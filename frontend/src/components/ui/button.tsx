import type { ReactNode } from 'react'
import styles from './button.module.css'
import { cx } from './cx'
import { Icon, type IconName } from './icon'
import { KeyCap } from './key-cap'
import { Pressable, type PressableProps } from './pressable'

export interface ButtonProps extends Omit<PressableProps, 'className' | 'children' | 'style'> {
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

export function Button({
  variant = 'secondary',
  size = 'medium',
  icon,
  shortcut,
  isShortcutIdle = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <Pressable {...rest} className={cx(styles.button, styles[variant], styles[size], className)}>
      {icon && <Icon name={icon} size={size === 'small' ? 16 : 18} />}
      <span>{children}</span>
      {shortcut && <KeyCap keyName={shortcut} isIdle={isShortcutIdle} />}
    </Pressable>
  )
}

export interface IconButtonProps extends Omit<PressableProps, 'className' | 'children' | 'style'> {
  icon: IconName
  'aria-label': string
  className?: string
}

export function IconButton({ icon, className, ...rest }: IconButtonProps) {
  return (
    <Pressable {...rest} className={cx(styles.button, styles.quiet, styles.iconOnly, className)}>
      <Icon name={icon} />
    </Pressable>
  )
}
