import type { ReactNode } from 'react'
import { cx } from './cx'
import styles from './mat-page.module.css'

export interface MatPageProps {
  mat: ReactNode
  /** Sets --mat-columns and what the mat takes, where the usual does not fit. */
  className?: string | undefined
  children: ReactNode
}

/** One photograph on its mat and what is to be read beside it; under it where the window is narrow. */
export function MatPage({ mat, className, children }: MatPageProps) {
  return (
    <main className={cx(styles.page, className)}>
      {mat}
      <div className={styles.panel}>{children}</div>
    </main>
  )
}

export interface PanelHeaderProps {
  title: ReactNode
  lead: ReactNode
  action: ReactNode
  /** What else is said under the lead. */
  children?: ReactNode
}

/** What the photograph is, and the one thing to do with the page. */
export function PanelHeader({ title, lead, action, children }: PanelHeaderProps) {
  return (
    <header className={styles.header}>
      <div>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        {children}
      </div>
      {action}
    </header>
  )
}
