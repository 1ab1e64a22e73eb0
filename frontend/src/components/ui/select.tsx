import { Button, FieldError, Label, Select as AriaSelect, SelectValue, Text } from 'react-aria-components'
import { type Choice, ChoiceList } from './choice-list'
import { cx } from './cx'
import fields from './field.module.css'
import { Icon } from './icon'

export type { Choice }

export interface SelectProps<Value extends string> {
  label: string
  choices: readonly Choice<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  hint?: string
  error?: string | undefined
  isDisabled?: boolean
  name?: string
  /** Keeps the label from the eye where the words beside it say it. */
  hidesLabel?: boolean
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, choices, value, onChange, hint, error, isDisabled = false, name, hidesLabel = false } = props
  const pick = (key: unknown) => {
    const chosen = choices.find((choice) => choice.value === key)
    if (chosen) onChange(chosen.value)
  }
  return (
    <AriaSelect
      className={fields.field}
      value={value}
      onChange={pick}
      isInvalid={error !== undefined}
      isDisabled={isDisabled}
      {...(name === undefined ? {} : { name })}
    >
      <Label className={hidesLabel ? 'visually-hidden' : fields.label}>{label}</Label>
      <Button className={cx(fields.input, fields.picker)}>
        <SelectValue>{({ selectedText }) => selectedText}</SelectValue>
        <Icon name="chevronDown" size={16} />
      </Button>
      {hint && (
        <Text slot="description" className={fields.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={fields.error}>{error}</FieldError>
      <ChoiceList choices={choices} />
    </AriaSelect>
  )
}
