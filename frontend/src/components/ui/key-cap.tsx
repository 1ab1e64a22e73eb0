import { keyCap } from '@/lib/actions/keys'
import styles from './key-cap.module.css'

/** A key as it is printed on the keyboard; screen readers hear aria-keyshortcuts of the control instead. */
export function KeyCap({ keyName }: { keyName: string }) {
  return (
    <kbd className={styles.cap} aria-hidden="true">
      {keyCap(keyName)}
    </kbd>
  )
}
