import { Icon } from '@/components/ui/icon'
import { Pressable } from '@/components/ui/pressable'
import styles from './row-check.module.css'

export interface RowCheckProps {
  label: string
  isOn: boolean
  isDisabled?: boolean
  onToggle: () => void
}

/** Selects a row and leaves the row's own action alone. */
export function RowCheck({ label, isOn, isDisabled = false, onToggle }: RowCheckProps) {
  return (
    <Pressable
      role="checkbox"
      aria-checked={isOn}
      aria-label={label}
      isDisabled={isDisabled}
      className={styles.check}
      onPress={onToggle}
    >
      <span className={styles.box}>{isOn && <Icon name="check" size={12} strokeWidth={2.6} />}</span>
    </Pressable>
  )
}
