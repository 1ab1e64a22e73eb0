import { cx } from './cx'
import styles from './progress-bar.module.css'

export interface ProgressBarProps {
  label: string
  value: number
  /** Null while the total is not known: the bar breathes. */
  max: number | null
  /** A hairline on top of a page instead of a bar in the text. */
  isThin?: boolean
}

export function ProgressBar({ label, value, max, isThin = false }: ProgressBarProps) {
  const share = max ? Math.min(value / max, 1) : 0
  return (
    <div
      className={cx(styles.track, isThin && styles.thin, max === null && styles.unknown)}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      {...(max === null ? {} : { 'aria-valuemax': max, 'aria-valuenow': value })}
    >
      <div className={styles.fill} style={{ transform: `scaleX(${share})` }} />
    </div>
  )
}
