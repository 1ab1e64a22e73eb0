import type { ReactNode } from 'react'
import styles from './active-row.module.css'
import { cx } from './cx'

export interface ActiveRowProps {
  index: number
  isActive: boolean
  /** How what stands in the row is laid out. */
  className: string | undefined
  'aria-label'?: string
  children: ReactNode
}

/** A row of a list gone through with `useActiveRow`: the one that the keys of the page act on has a line before it. */
export function ActiveRow({ index, isActive, className, children, ...rest }: ActiveRowProps) {
  return (
    <li className={cx(styles.row, isActive && styles.active, className)} tabIndex={-1} data-index={index} {...rest}>
      {children}
    </li>
  )
}
