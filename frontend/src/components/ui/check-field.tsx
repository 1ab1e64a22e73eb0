import { useId } from 'react'
import styles from './check-field.module.css'

export interface CheckFieldProps {
  label: string
  /** What it means, in a sentence. */
  hint?: string
  isSelected: boolean
  onChange: (isSelected: boolean) => void
}

/** Yes or no, with the sentence that says what it means. */
export function CheckField({ label, hint, isSelected, onChange }: CheckFieldProps) {
  const hintId = useId()
  return (
    <div>
      <label className={styles.field}>
        <input
          type="checkbox"
          checked={isSelected}
          aria-describedby={hint && hintId}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {label}
      </label>
      {hint && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}
