import { formatCount } from '@/lib/format/numbers'
import styles from './project-entry.module.css'

/** A figure with its name after it. */
export function Count({ of, name, title }: { of: number; name: string; title?: string | undefined }) {
  return (
    <div className={styles.count} title={title}>
      <dt>{name}</dt>
      <dd>{formatCount(of)}</dd>
    </div>
  )
}
