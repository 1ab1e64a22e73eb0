import type { ReactNode } from 'react'
import { usePageTitle } from '@/lib/use-page-title'
import styles from './page.module.css'

export interface PageHeaderProps {
  title: string
  /** One sentence or figures under the title. */
  lead?: ReactNode
  /** The page's buttons, the primary one last. */
  actions?: ReactNode
}

/** The page's name, also the name of the browser's tab. */
export function PageHeader({ title, lead, actions }: PageHeaderProps) {
  usePageTitle(title)
  return (
    <header className={styles.header}>
      <div>
        <h1 className={styles.title}>{title}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}

/** The usual column of a page; `wide` is for galleries and tables. */
export function Page({ children, isWide = false }: { children: ReactNode; isWide?: boolean }) {
  return <main className={isWide ? styles.wide : styles.page}>{children}</main>
}
