import { CheckField } from '@/components/ui/check-field'
import { NumberField } from '@/components/ui/number-field'
import { SettingsSection } from '@/components/ui/settings-section'
import { t } from '@/messages/projects'
import { fromPercent, type Knobs, knobTitles, toPercent } from '../state/knobs'
import styles from './project-settings-page.module.css'

export interface KnobFieldsProps {
  draft: Knobs
  onChange: (change: Partial<Knobs>) => void
  errors: Record<string, string>
}

/** Everything about how captions are judged, each with the sentence that says what it does. */
export function KnobSections(props: KnobFieldsProps) {
  return (
    <>
      <SettingsSection title={t.judging} note={t.judgingNote}>
        <div className={styles.knobs}>
          <Whole {...props} name="overlap" hint={t.overlapHint} />
          <Whole {...props} name="captions_per_hit" hint={t.captionsPerHitHint} />
          <Whole {...props} name="lease_minutes" hint={t.leaseHint} />
          <Whole {...props} name="hits_per_annotator" mayBeEmpty hint={t.hitsHint} />
        </div>
        <CheckField
          label={knobTitles.shuffles_options}
          hint={t.shuffleHint}
          isSelected={props.draft.shuffles_options}
          onChange={(shuffles_options) => props.onChange({ shuffles_options })}
        />
      </SettingsSection>
      <SettingsSection title={t.adaptiveOverlap} note={t.adaptiveNote}>
        <CheckField
          label={t.askAgain}
          hint={t.askAgainHint}
          isSelected={props.draft.confidence !== null}
          onChange={(isAdaptive) => props.onChange({ confidence: isAdaptive ? usualConfidence : null })}
        />
        {props.draft.confidence !== null && (
          <div className={styles.knobs}>
            <Percent {...props} name="confidence" least={50} most={99.9} hint={t.certaintyHint} />
            <Whole {...props} name="max_overlap" hint={t.atMostHint} />
          </div>
        )}
      </SettingsSection>
      <SettingsSection title={t.controls} note={t.controlsNote}>
        <div className={styles.knobs}>
          <Percent {...props} name="control_rate" least={0} most={50} hint={t.controlRateHint} />
        </div>
      </SettingsSection>
      <SettingsSection title={t.pay} note={t.payNote}>
        <div className={styles.knobs}>
          <Pay {...props} />
          <Percent {...props} name="pay_fee" least={0} most={1000} hint={t.feeHint} />
        </div>
      </SettingsSection>
    </>
  )
}

const usualConfidence = 0.9

interface WholeProps extends KnobFieldsProps {
  name: 'overlap' | 'captions_per_hit' | 'lease_minutes' | 'max_overlap' | 'hits_per_annotator'
  hint: string
  mayBeEmpty?: boolean
}

function Whole({ name, hint, mayBeEmpty = false, draft, onChange, errors }: WholeProps) {
  return (
    <NumberField
      label={knobTitles[name]}
      hint={hint}
      minValue={1}
      value={draft[name] ?? NaN}
      onChange={(value) => onChange({ [name]: Number.isNaN(value) ? (mayBeEmpty ? null : draft[name]) : value })}
      error={errors[name]}
    />
  )
}

interface PercentProps extends KnobFieldsProps {
  name: 'control_rate' | 'confidence' | 'pay_fee'
  hint: string
  least: number
  most: number
}

function Percent({ name, hint, least, most, draft, onChange, errors }: PercentProps) {
  return (
    <NumberField
      label={knobTitles[name]}
      hint={hint}
      minValue={least}
      maxValue={most}
      step={0.1}
      formatOptions={{ useGrouping: false, maximumFractionDigits: 1 }}
      value={toPercent(draft[name] ?? 0)}
      onChange={(value) => onChange({ [name]: Number.isNaN(value) ? draft[name] : fromPercent(value) })}
      error={errors[name]}
    />
  )
}

/** Money comes and goes as a decimal number in a string. */
function Pay({ draft, onChange, errors }: KnobFieldsProps) {
  return (
    <NumberField
      label={knobTitles.pay_per_hit}
      hint={t.payHint}
      minValue={0}
      step={0.0001}
      formatOptions={{ useGrouping: false, maximumFractionDigits: 4 }}
      value={draft.pay_per_hit === null ? NaN : Number(draft.pay_per_hit)}
      onChange={(value) => onChange({ pay_per_hit: Number.isNaN(value) ? null : value.toFixed(4) })}
      error={errors.pay_per_hit}
    />
  )
}
