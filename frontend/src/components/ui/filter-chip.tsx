import type { ReactNode, Ref } from 'react'
import { formatCount } from '@/lib/format/numbers'
import { cx } from './cx'
import styles from './filter-chip.module.css'

export interface FilterChipProps {
  ref?: Ref<HTMLButtonElement>
  isOn: boolean
  /** Left out while it is not known. */
  n?: number | undefined
  isSmall?: boolean
  onPress: () => void
  children: ReactNode
}

/** A filter with the number of rows that it leaves. */
export function FilterChip({ ref, isOn, n, isSmall = false, onPress, children }: FilterChipProps) {
  return (
    <button
      ref={ref}
      type="button"
      className={cx(styles.chip, isSmall && styles.small)}
      aria-pressed={isOn}
      onClick={onPress}
    >
      {children}
      {n !== undefined && (
        <>
          {' '}
          <small>{formatCount(n)}</small>
        </>
      )}
    </button>
  )
}
