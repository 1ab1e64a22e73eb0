import type { ReactNode } from 'react'
import styles from './download-link.module.css'
import { Icon } from './icon'

/** A file to take away, which the server makes or keeps. */
export function DownloadLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={styles.link} href={href} download>
      <Icon name="download" size={16} />
      {children}
    </a>
  )
}
