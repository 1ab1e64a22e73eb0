import type { ReactNode } from 'react'
import { cx } from './cx'
import styles from './grid.module.css'

/** Twelve columns with the same gaps on every page; one column where the window is narrow. */
export function Grid({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return <div className={cx(styles.grid, className)}>{children}</div>
}

export interface SpanProps {
  /** Of the twelve columns. */
  n: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 12
  className?: string | undefined
  children: ReactNode
}

/** A part of a grid. */
export function Span({ n, className, children }: SpanProps) {
  return <div className={cx(styles[`n${n}`], className)}>{children}</div>
}
