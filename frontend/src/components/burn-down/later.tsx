import type { ReactNode } from 'react'
import styles from './burn-down.module.css'

/** The place of a chart whose figures do not exist yet: what will be here, and when. */
export function Later({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.later}>
      <h2>{title}</h2>
      <p>{children}</p>
    </section>
  )
}
