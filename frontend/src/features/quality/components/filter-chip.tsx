import type { ReactNode } from 'react'
import { formatCount } from '@/lib/format/numbers'
import styles from './filter-chip.module.css'

export interface FilterChipProps {
  isOn: boolean
  n: number
  onPress: () => void
  children: ReactNode
}

/** A filter with the number of rows that it leaves. */
export function FilterChip({ isOn, n, onPress, children }: FilterChipProps) {
  return (
    <button type="button" className={styles.chip} aria-pressed={isOn} onClick={onPress}>
      {children} <small>{formatCount(n)}</small>
    </button>
  )
}
