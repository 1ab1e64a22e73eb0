import { useId } from 'react'
import fields from './field.module.css'
import type { Choice } from './select'
import styles from './switch.module.css'

export interface SwitchProps<Value extends string> {
  label: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** One of two or three short words in a row: arrows move and choose. */
export function Switch<Value extends string>({ label, choices, value, onChange }: SwitchProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.switch}>
      <legend className={fields.label}>{label}</legend>
      <div className={styles.row}>
        {choices.map((choice) => (
          <label key={choice.value} className={styles.choice}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
