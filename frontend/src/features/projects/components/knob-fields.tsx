import { CheckField } from '@/components/ui/check-field'
import { NumberField } from '@/components/ui/number-field'
import { SettingsSection } from '@/components/ui/settings-section'
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
      <SettingsSection
        title="Judging"
        note="Holds for HITs built from now on; those that exist keep what they were built with."
      >
        <div className={styles.knobs}>
          <Whole {...props} name="overlap" hint="How many people judge the same caption." />
          <Whole {...props} name="captions_per_hit" hint="How many captions of one photograph are judged at once." />
          <Whole
            {...props}
            name="lease_minutes"
            hint="After this long without a sign of life somebody else may take it."
          />
          <Whole
            {...props}
            name="hits_per_annotator"
            mayBeEmpty
            hint="So that many people are heard. Empty: as many as they like."
          />
        </div>
        <CheckField
          label={knobTitles.shuffles_options}
          hint="Each HIT draws the order of the three buttons too, so that no answer profits from its place. The letters G, B and U stay as they are."
          isSelected={props.draft.shuffles_options}
          onChange={(shuffles_options) => props.onChange({ shuffles_options })}
        />
      </SettingsSection>
      <SettingsSection
        title="Adaptive overlap"
        note="Begins with the judgments above and asks for one more only where it is not clear yet which answer is right."
      >
        <CheckField
          label="Ask again where it is not clear"
          hint="Without it every caption gets the same number of judgments."
          isSelected={props.draft.confidence !== null}
          onChange={(isAdaptive) => props.onChange({ confidence: isAdaptive ? usualConfidence : null })}
        />
        {props.draft.confidence !== null && (
          <div className={styles.knobs}>
            <Percent
              {...props}
              name="confidence"
              least={50}
              most={99.9}
              hint="A caption is done once its likeliest answer is at least this likely."
            />
            <Whole {...props} name="max_overlap" hint="Then it is left as disputed, which is a result too." />
          </div>
        )}
      </SettingsSection>
      <SettingsSection
        title="Controls"
        note="Pairs of known answer hidden among the others; they are kept on the quality page."
      >
        <div className={styles.knobs}>
          <Percent
            {...props}
            name="control_rate"
            least={0}
            most={50}
            hint="Of what an annotator sees, while there are controls they have not met. 0 hides none."
          />
        </div>
      </SettingsSection>
      <SettingsSection title="Pay" note="For the forecast of the quality page. Connote pays nobody.">
        <div className={styles.knobs}>
          <Pay {...props} />
          <Percent {...props} name="pay_fee" least={0} most={1000} hint="What a platform takes on top of the pay." />
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
      hint="To one person, in the currency of your budget. Empty: no money is forecast."
      minValue={0}
      step={0.0001}
      formatOptions={{ useGrouping: false, maximumFractionDigits: 4 }}
      value={draft.pay_per_hit === null ? NaN : Number(draft.pay_per_hit)}
      onChange={(value) => onChange({ pay_per_hit: Number.isNaN(value) ? null : value.toFixed(4) })}
      error={errors.pay_per_hit}
    />
  )
}
