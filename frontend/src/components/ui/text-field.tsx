import {
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components'
import styles from './field.module.css'

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children' | 'style'> {
  label: string
  /** A sentence under the field that says what belongs there. */
  hint?: string
  /** What is wrong and what to do; marks the field invalid. */
  error?: string | undefined
  placeholder?: string
  /** More than one makes it a text area. */
  rows?: number
}

export function TextField({ label, hint, error, placeholder, rows = 1, ...rest }: TextFieldProps) {
  return (
    // What the server refused is only shown: as the browser's own validation it would stop the next try.
    <AriaTextField
      {...rest}
      isInvalid={error !== undefined || rest.isInvalid === true}
      {...(error !== undefined && { validationBehavior: 'aria' as const })}
      className={styles.field}
    >
      <Label className={styles.label}>{label}</Label>
      {rows > 1 ? (
        <TextArea dir="auto" className={styles.input} rows={rows} placeholder={placeholder} />
      ) : (
        <Input dir="auto" className={styles.input} placeholder={placeholder} />
      )}
      {hint && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error}>{error}</FieldError>
    </AriaTextField>
  )
}
