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
}

/** A whole number; arrow keys step, letters are not taken. */
export function NumberField({ label, hint, error, ...rest }: NumberFieldProps) {
  return (
    <AriaNumberField
      step={1}
      formatOptions={{ useGrouping: false, maximumFractionDigits: 0 }}
      {...rest}
      isInvalid={error !== undefined}
      className={styles.field}
    >
      <Label className={styles.label}>{label}</Label>
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
