import { IconButton } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { NumberField } from '@/components/ui/number-field'
import { Select } from '@/components/ui/select'
import type { PolicyCollector, PolicyRule } from '@/lib/api/served'
import { t } from '@/messages/quality'
import { actionNames, collectorOf, isEffect } from '../state/rules'
import styles from './policy-tab.module.css'

export interface RuleFieldsProps {
  number: number
  rule: PolicyRule
  collectors: readonly PolicyCollector[]
  onChange: (rule: PolicyRule) => void
  onRemove: () => void
}

type Condition = PolicyRule['condition']

/** One rule: what is looked at, from where on it is met, and what follows. */
export function RuleFields({ number, rule, collectors, onChange, onRemove }: RuleFieldsProps) {
  const collector = collectorOf(collectors, rule)
  const set = (change: Condition) => onChange({ ...rule, condition: { ...rule.condition, ...change } })
  const { threshold, min_n: fewest, window, p_value: chance, unsure_fails: unsureFails } = rule.condition
  return (
    <fieldset className={styles.rule}>
      <legend className={styles.ruleName}>
        {number}. {collector?.label ?? rule.collector}
      </legend>
      <IconButton
        icon="cross"
        aria-label={t.removeRule({ number })}
        className={styles.remove ?? ''}
        onPress={onRemove}
      />
      <div className={styles.ruleFields}>
        {isEffect(rule) ? (
          <NumberField
            label={t.fromEffect}
            hint={collector?.share_of ?? ''}
            minValue={0}
            maxValue={1}
            step={0.05}
            formatOptions={{ maximumFractionDigits: 3 }}
            value={threshold ?? NaN}
            onChange={(value) => set({ threshold: value })}
          />
        ) : (
          <NumberField
            label={t.fromPercent}
            hint={collector?.share_of ?? ''}
            minValue={0}
            maxValue={100}
            value={threshold === undefined ? NaN : Math.round(threshold * 1000) / 10}
            formatOptions={{ maximumFractionDigits: 1 }}
            step={0.1}
            onChange={(value) => set({ threshold: value / 100 })}
          />
        )}
        <NumberField
          label={t.ofAtLeast}
          hint={collector?.counts ?? ''}
          minValue={1}
          value={fewest ?? NaN}
          onChange={(value) => set({ min_n: value })}
        />
        {collector?.has_window && (
          <NumberField
            label={t.inNewest}
            hint={t.inNewestHint}
            minValue={1}
            value={window ?? NaN}
            onChange={(value) => set({ window: Number.isNaN(value) ? null : value })}
          />
        )}
        {collector?.has_p_value && (
          <NumberField
            label={t.chanceAtMost}
            hint={t.chanceHint}
            minValue={0}
            maxValue={5}
            step={0.01}
            formatOptions={{ maximumFractionDigits: 2 }}
            value={chance == null ? NaN : Math.round(chance * 1e4) / 100}
            onChange={(value) => set({ p_value: Number.isNaN(value) ? null : value / 100 })}
          />
        )}
        <Select
          label={t.then}
          choices={(collector?.actions ?? [rule.action]).map((action) => ({
            value: action,
            label: actionNames[action],
          }))}
          value={rule.action}
          onChange={(action) => onChange({ ...rule, action })}
        />
      </div>
      {collector?.has_unsure_fails && (
        <CheckField
          label={t.unsureFails}
          isSelected={unsureFails === true}
          onChange={(fails) => set({ unsure_fails: fails })}
        />
      )}
    </fieldset>
  )
}
