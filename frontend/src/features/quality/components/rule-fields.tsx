import { IconButton } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { Disclosure } from '@/components/ui/disclosure'
import { NumberField } from '@/components/ui/number-field'
import { Select } from '@/components/ui/select'
import type { PolicyCollector, PolicyRule } from '@/lib/api/served'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/quality'
import { actionNames, collectorName, collectorOf, isEffect, ruleSentence } from '../state/rules'
import styles from './policy-tab.module.css'
import { RuleRow } from './rule-strip'

export interface RuleFieldsProps {
  slug: string
  number: number
  rule: PolicyRule
  collectors: readonly PolicyCollector[]
  onChange: (rule: PolicyRule) => void
  onRemove: () => void
}

type Condition = PolicyRule['condition']

/** One rule as a sentence with its numbers in fields, above everybody's figures and the rule's line. */
export function RuleFields({ slug, number, rule, collectors, onChange, onRemove }: RuleFieldsProps) {
  const collector = collectorOf(collectors, rule)
  const set = (change: Condition) => onChange({ ...rule, condition: { ...rule.condition, ...change } })
  const { unsure_fails: unsureFails } = rule.condition
  return (
    <fieldset className={styles.rule}>
      <legend className={styles.ruleName}>
        {number}. {collectorName(rule.collector)}
      </legend>
      <IconButton
        icon="cross"
        aria-label={t.removeRule({ number })}
        className={styles.remove ?? ''}
        onPress={onRemove}
      />
      <RuleRow slug={slug} rule={rule}>
        <div className={styles.sentence}>
          <Sentence
            of={ruleSentence(rule.collector)}
            parts={{
              threshold: <Threshold rule={rule} onChange={set} />,
              fewest: (
                <NumberField
                  isInline
                  label={t.ofAtLeast}
                  minValue={1}
                  value={rule.condition.min_n ?? NaN}
                  onChange={(value) => set({ min_n: value })}
                />
              ),
              action: (
                <span className={styles.inlineAction}>
                  <Select
                    label={t.then}
                    hidesLabel
                    choices={(collector?.actions ?? [rule.action]).map((action) => ({
                      value: action,
                      label: actionNames[action],
                    }))}
                    value={rule.action}
                    onChange={(action) => onChange({ ...rule, action })}
                  />
                </span>
              ),
            }}
          />
        </div>
        {(collector?.has_window === true || collector?.has_p_value === true) && (
          <Disclosure summary={t.moreOfRule}>
            <Limits rule={rule} collector={collector} onChange={set} />
          </Disclosure>
        )}
        {collector?.has_unsure_fails && (
          <CheckField
            label={t.unsureFails}
            isSelected={unsureFails === true}
            onChange={(fails) => set({ unsure_fails: fails })}
          />
        )}
      </RuleRow>
    </fieldset>
  )
}

interface PartProps {
  rule: PolicyRule
  onChange: (change: Condition) => void
}

function Threshold({ rule, onChange }: PartProps) {
  const { threshold } = rule.condition
  if (isEffect(rule)) {
    return (
      <NumberField
        isInline
        label={t.fromEffect}
        minValue={0}
        maxValue={1}
        step={0.05}
        formatOptions={{ maximumFractionDigits: 3 }}
        value={threshold ?? NaN}
        onChange={(value) => onChange({ threshold: value })}
      />
    )
  }
  return (
    <>
      <NumberField
        isInline
        label={t.fromPercent}
        minValue={0}
        maxValue={100}
        value={threshold === undefined ? NaN : Math.round(threshold * 1000) / 10}
        formatOptions={{ maximumFractionDigits: 1 }}
        step={0.1}
        onChange={(value) => onChange({ threshold: value / 100 })}
      />
      {t.percentSign}
    </>
  )
}

/** What few people change: the window and the false alarms. */
function Limits({ rule, collector, onChange }: PartProps & { collector: PolicyCollector }) {
  const { window, p_value: chance } = rule.condition
  return (
    <div className={styles.ruleFields}>
      {collector.has_window && (
        <NumberField
          label={t.inNewest}
          hint={t.inNewestHint}
          minValue={1}
          value={window ?? NaN}
          onChange={(value) => onChange({ window: Number.isNaN(value) ? null : value })}
        />
      )}
      {collector.has_p_value && (
        <NumberField
          label={t.chanceAtMost}
          hint={t.chanceHint}
          minValue={0}
          maxValue={5}
          step={0.01}
          formatOptions={{ maximumFractionDigits: 2 }}
          value={chance == null ? NaN : Math.round(chance * 1e4) / 100}
          onChange={(value) => onChange({ p_value: Number.isNaN(value) ? null : value / 100 })}
        />
      )}
    </div>
  )
}
