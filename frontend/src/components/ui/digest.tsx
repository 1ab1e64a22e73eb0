import { t } from '@/messages/common'
import { CopyButton } from './copy-button'
import styles from './digest.module.css'

/** A checksum: short to look at, whole on hover and when copied. */
export function Digest({ value, what = t.theChecksum }: { value: string; what?: string }) {
  return (
    <span className={styles.digest}>
      <code title={value}>{value.slice(0, 12)}…</code>
      <CopyButton text={value} what={what} />
    </span>
  )
}
