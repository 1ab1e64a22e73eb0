import {
  FieldError,
  Input,
  Label,
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaNumberFieldProps,
  Text,
} from 'react-aria-components'
import styles from './field.module.css'

export interface NumberFieldProps extends Omit<AriaNumberFieldProps, 'className' | 'children' | 'style'> {
  label: string
  hint?: string
  error?: string | undefined
  /** Is part of a sentence, whose words are its label for the eye. */
  isInline?: boolean
}

/** A whole number; arrow keys step, letters are not taken. */
export function NumberField({ label, hint, error, isInline = false, ...rest }: NumberFieldProps) {
  return (
    <AriaNumberField
      step={1}
      formatOptions={{ useGrouping: false, maximumFractionDigits: 0 }}
      {...rest}
      isInvalid={error !== undefined}
      className={(isInline ? styles.inline : styles.field) ?? ''}
    >
      <Label className={isInline ? 'visually-hidden' : styles.label}>{label}</Label>
      <Input className={styles.input} />
      {hint && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error}>{error}</FieldError>
    </AriaNumberField>
  )
}
