import { Disclosure } from '@/components/ui/disclosure'
import { NumberField } from '@/components/ui/number-field'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import type { Stage, StageParameter } from '@/lib/api/served'
import { t } from '@/messages/runs'
import {
  choiceTitle,
  digitsOf,
  fieldLabel,
  formParameters,
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
  /** Advanced parameters that this run needs: they stand with the others. */
  needed?: readonly string[]
}

/** A small form made from what the stage says it takes; what most people leave as it is stands under Advanced. */
export function ParameterFields({ stage, values, onChange, seed, onSeed, needed = [] }: ParameterFieldsProps) {
  const parameters = formParameters(stage)
  const fieldsOf = (advanced: boolean) =>
    parameters
      .filter((parameter) => (parameter.advanced && !needed.includes(parameter.name)) === advanced)
      .map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? ''}
          onChange={(value) => onChange({ ...values, [parameter.name]: value })}
        />
      ))
  return (
    <div className={styles.fields}>
      {fieldsOf(false)}
      <Disclosure summary={t.advanced}>
        <div className={styles.advanced}>
          {fieldsOf(true)}
          <NumberField
            label={t.seed}
            hint={t.seedHint}
            minValue={0}
            value={seed}
            onChange={(value) => onSeed(Number.isNaN(value) ? 0 : value)}
          />
        </div>
      </Disclosure>
    </div>
  )
}

interface ParameterFieldProps {
  parameter: StageParameter
  value: ParameterValue
  onChange: (value: ParameterValue) => void
}

function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  if (parameter.kind === 'int') return <NumberParameter parameter={parameter} value={value} onChange={onChange} />
  const common = { label: fieldLabel(parameter), hint: parameter.help }
  if (parameter.choices.length > 0) {
    const options = parameter.choices.map((choice) => ({ value: choice, label: choiceTitle(choice) }))
    return <Select {...common} choices={options} value={String(value)} onChange={onChange} />
  }
  return <TextField {...common} value={String(value)} onChange={onChange} />
}

/** A person types 0.7 where the stage keeps 70 hundredths. */
function NumberParameter({ parameter, value, onChange }: ParameterFieldProps) {
  const { help, scale, minimum, maximum } = parameter
  const digits = digitsOf(parameter)
  const keep = (typed: number) => onChange(Number.isNaN(typed) ? Number(parameter.default) : Math.round(typed * scale))
  return (
    <NumberField
      label={fieldLabel(parameter)}
      hint={help}
      minValue={minimum / scale}
      maxValue={maximum / scale}
      step={1 / scale}
      formatOptions={{
        useGrouping: false,
        minimumFractionDigits: parameter.unit === '%' ? 0 : digits,
        maximumFractionDigits: digits,
      }}
      value={Number(value) / scale}
      onChange={keep}
    />
  )
}
