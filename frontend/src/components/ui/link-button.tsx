import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'
import styles from './button.module.css'
import { cx } from './cx'

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  variant?: 'primary' | 'secondary' | 'quiet'
  size?: 'small' | 'medium' | 'large'
  ref?: Ref<HTMLAnchorElement>
}

function Anchor({ variant = 'secondary', size = 'medium', className, children, ...rest }: Props) {
  return (
    <a {...rest} className={cx(styles.button, styles[variant], styles[size], className)}>
      {children}
    </a>
  )
}

/** A link that looks like a button, because it leads somewhere instead of doing something. */
export const LinkButton = createLink(Anchor)
