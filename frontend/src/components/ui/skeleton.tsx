import { type ReactNode, useEffect, useState } from 'react'
import { t } from '@/messages/common'
import { cx } from './cx'
import styles from './skeleton.module.css'

const patienceMs = 200

/** Shows its children only when the wait lasts longer than 200 ms, so that quick answers do not flicker. */
export function Delayed({ children }: { children: ReactNode }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return isLate ? children : null
}

export interface SkeletonProps {
  /** What is on its way, for screen readers: "projects". */
  label: string
  rows?: number
  shape?: 'line' | 'tile'
}

export function Skeleton({ label, rows = 3, shape = 'line' }: SkeletonProps) {
  return (
    <Delayed>
      <div
        className={cx(styles.rows, shape === 'tile' && styles.tiles)}
        role="status"
        aria-label={t.loading({ label })}
      >
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className={styles[shape]} />
        ))}
      </div>
    </Delayed>
  )
}
