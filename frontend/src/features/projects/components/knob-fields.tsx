import { NumberField } from '@/components/ui/number-field'
import { type Knobs, knobTitles } from '../state/knobs'
import styles from './project-settings-page.module.css'

type NumberKnob = 'overlap' | 'captions_per_hit' | 'lease_minutes'

const knobs: { name: NumberKnob; hint: string }[] = [
  { name: 'overlap', hint: 'How many people judge the same caption.' },
  { name: 'captions_per_hit', hint: 'How many captions of one photograph are judged at once.' },
  { name: 'lease_minutes', hint: 'After this long without a submission somebody else may take it.' },
]

export interface KnobFieldsProps {
  draft: Knobs
  onChange: (change: Partial<Knobs>) => void
  errors: Record<string, string>
}

export function KnobFields({ draft, onChange, errors }: KnobFieldsProps) {
  return (
    <div className={styles.knobs}>
      {knobs.map(({ name, hint }) => (
        <NumberField
          key={name}
          label={knobTitles[name]}
          hint={hint}
          minValue={1}
          value={draft[name]}
          onChange={(value) => onChange({ [name]: Number.isNaN(value) ? draft[name] : value })}
          error={errors[name]}
        />
      ))}
    </div>
  )
}
