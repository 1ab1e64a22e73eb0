import type { Corner } from './outline'
import styles from './point-map.module.css'

/** The outline while a pointer draws it. */
export function OutlineShape({ corners }: { corners: readonly Corner[] }) {
  if (corners.length < 2) return null
  return (
    <svg className={styles.outline} aria-hidden="true">
      <polygon points={corners.map((corner) => corner.join(',')).join(' ')} />
    </svg>
  )
}
