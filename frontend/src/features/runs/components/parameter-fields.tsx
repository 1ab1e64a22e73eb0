import { Disclosure } from '@/components/ui/disclosure'
import { NumberField } from '@/components/ui/number-field'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import type { Stage, StageParameter } from '@/lib/api/served'
import { t } from '@/messages/runs'
import {
  choiceTitle,
  formParameters,
  parameterTitle,
  type ParameterValue,
  type ParameterValues,
} from '../state/parameter-values'
import styles from './stage-dialog.module.css'

export interface ParameterFieldsProps {
  stage: Stage
  values: ParameterValues
  onChange: (values: ParameterValues) => void
  seed: number
  onSeed: (seed: number) => void
}

/** A small form made from what the stage says it takes. */
export function ParameterFields({ stage, values, onChange, seed, onSeed }: ParameterFieldsProps) {
  const set = (name: string) => (value: ParameterValue) => onChange({ ...values, [name]: value })
  return (
    <div className={styles.fields}>
      {formParameters(stage).map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? ''}
          onChange={set(parameter.name)}
        />
      ))}
      <Disclosure summary={t.seed}>
        <NumberField
          label={t.seed}
          hint={t.seedHint}
          minValue={0}
          value={seed}
          onChange={(value) => onSeed(Number.isNaN(value) ? 0 : value)}
        />
      </Disclosure>
    </div>
  )
}

interface ParameterFieldProps {
  parameter: StageParameter
  value: ParameterValue
  onChange: (value: ParameterValue) => void
}

export function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { name, kind, help, choices } = parameter
  const common = { label: parameterTitle(name), hint: help }
  if (kind === 'int') {
    const standard = Number(parameter.default)
    return (
      <NumberField
        {...common}
        minValue={0}
        value={Number(value)}
        onChange={(next) => onChange(Number.isNaN(next) ? standard : next)}
      />
    )
  }
  if (choices.length > 0) {
    const options = choices.map((choice) => ({ value: choice, label: choiceTitle(choice) }))
    return <Select {...common} choices={options} value={String(value)} onChange={onChange} />
  }
  return <TextField {...common} value={String(value)} onChange={onChange} />
}
