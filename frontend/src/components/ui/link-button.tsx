import { createLink } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import styles from './button.module.css'
import { cx } from './cx'

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  variant?: 'primary' | 'secondary' | 'quiet'
  size?: 'small' | 'medium' | 'large'
  ref?: Ref<HTMLAnchorElement>
}

function Anchor({ variant = 'secondary', size = 'medium', className, children, autoFocus, ref, ...rest }: Props) {
  const anchor = useRef<HTMLAnchorElement>(null)
  useImperativeHandle<HTMLAnchorElement | null, HTMLAnchorElement | null>(ref, () => anchor.current)
  // React focuses fields and buttons by themselves, links not.
  useEffect(() => {
    if (autoFocus) anchor.current?.focus()
  }, [autoFocus])
  return (
    <a {...rest} ref={anchor} className={cx(styles.button, styles[variant], styles[size], className)}>
      {children}
    </a>
  )
}

/** A link that looks like a button, because it leads somewhere instead of doing something. */
export const LinkButton = createLink(Anchor)
