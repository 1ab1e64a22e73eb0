import type { CSSProperties, ReactNode } from 'react'
import styles from './page.module.css'

/** The twelve columns of a page; in them stand `Span`s. */
export function PageGrid({ children }: { children: ReactNode }) {
  return <div className={styles.grid}>{children}</div>
}

/** A part of the page as wide as so many columns; the whole width where the window is narrow. */
export function Span({ columns, children }: { columns: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 12; children: ReactNode }) {
  return (
    <div className={styles.span} style={{ '--columns': columns } as CSSProperties}>
      {children}
    </div>
  )
}
