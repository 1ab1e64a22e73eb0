import { useId } from 'react'
import styles from './choice-group.module.css'
import fields from './field.module.css'
import { KeyCap } from './key-cap'
import type { Choice } from './select'

export interface ChoiceGroupProps<Value extends string> {
  label: string
  /** A key is printed with its choice; the form around it listens. */
  choices: readonly (Choice<Value> & { key?: string })[]
  /** Null: none is chosen yet. */
  value: Value | null
  onChange: (value: Value) => void
}

/** One of a few, all in sight: arrows move and choose. */
export function ChoiceGroup<Value extends string>({ label, choices, value, onChange }: ChoiceGroupProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.group}>
      <legend className={fields.label}>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            aria-describedby={choice.detail && `${name}-${choice.value}`}
            onChange={() => onChange(choice.value)}
          />
          <span>
            {choice.label} {choice.key && <KeyCap keyName={choice.key} />}
            {choice.detail && (
              <small id={`${name}-${choice.value}`} className={styles.detail} aria-hidden="true">
                {choice.detail}
              </small>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
