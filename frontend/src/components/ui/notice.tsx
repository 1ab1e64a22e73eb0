import type { ReactNode } from 'react'
import { cx } from './cx'
import styles from './notice.module.css'

/** A sentence in the page that must not be missed; `bad` ones are read out at once. */
export function Notice({ tone = 'neutral', children }: { tone?: 'neutral' | 'good' | 'warning' | 'bad'; children: ReactNode }) {
  return (
    <div className={cx(styles.notice, styles[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}
