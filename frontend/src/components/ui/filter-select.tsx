import { useId } from 'react'
import { Button, Label, Select, SelectValue } from 'react-aria-components'
import { type Choice, ChoiceList } from './choice-list'
import { cx } from './cx'
import chips from './filter-chip.module.css'
import styles from './filter-select.module.css'
import { Icon } from './icon'

export interface FilterSelectProps<Value extends string> {
  /** What is filtered; the chip has it before the choice. */
  label: string
  choices: readonly Choice<Value>[]
  value: Value | null
  /** The choice that filters nothing; none where the chip says an order, or a choice that is always made. */
  all?: NoInfer<Value>
  onChange: (value: Value) => void
  /** Shows the label where nothing is filtered, and else the choice; for many chips in one row. */
  isShort?: boolean
  /** Where it comes in place of a button that was pressed. */
  autoFocus?: boolean
}

/** A filter of many values as one chip, beside the chips that are on or off. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, choices, value, all, onChange, isShort = false, autoFocus = false } = props
  const textId = useId()
  const pick = (key: unknown) => {
    const chosen = choices.find((choice) => choice.value === key)
    if (chosen) onChange(chosen.value)
  }
  const isOn = all !== undefined && value !== all
  const hidden = isShort && 'visually-hidden'
  return (
    <Select className={styles.filter} value={value} onChange={pick} autoFocus={autoFocus}>
      <Label className="visually-hidden">{label}</Label>
      {/* Named by its text as people read it: the library would name it by the choice before the label. */}
      <Button
        className={cx(chips.chip, styles.chip, isShort && chips.small, isOn && styles.on)}
        aria-labelledby={textId}
      >
        <span className={styles.text} id={textId}>
          <span className={cx(styles.name, (isOn || all === undefined) && hidden)}>{label}</span>{' '}
          <SelectValue className={cx(styles.value, !isOn && all !== undefined && hidden)}>
            {({ selectedText }) => selectedText}
          </SelectValue>
        </span>
        <Icon name="chevronDown" size={14} />
      </Button>
      <ChoiceList choices={choices} />
    </Select>
  )
}
