import type { ReactNode } from 'react'
import styles from './mat.module.css'

/** The dark ground behind one photograph, and the tools in its corner; above the words where the window is narrow. */
export function Mat({ tools, children }: { tools: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.mat}>
      {children}
      <div className={styles.tools}>{tools}</div>
    </div>
  )
}
