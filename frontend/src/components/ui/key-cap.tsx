import { keyCap } from '@/lib/actions/keys'
import { cx } from './cx'
import styles from './key-cap.module.css'

export interface KeyCapProps {
  keyName: string
  /** Takes its place and is not seen: the key does not act now. */
  isIdle?: boolean
}

/** A key as it is printed on the keyboard; screen readers hear aria-keyshortcuts of the control instead. */
export function KeyCap({ keyName, isIdle = false }: KeyCapProps) {
  return (
    <kbd className={cx(styles.cap, isIdle && styles.idle)} aria-hidden="true">
      {keyCap(keyName)}
    </kbd>
  )
}
