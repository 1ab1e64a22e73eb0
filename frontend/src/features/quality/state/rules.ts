import type { PolicyCollector, PolicyRule } from '@/lib/api/served'
import { formatShare } from '@/lib/format/numbers'

export const actionNames: Record<PolicyRule['action'], string> = {
  review: 'ask for a review',
  warn: 'warn',
  pause: 'pause',
  exclude: 'exclude',
}

/** An action in words; one that this page has not heard of speaks for itself. */
export const actionName = (action: string): string =>
  Object.entries(actionNames).find(([name]) => name === action)?.[1] ?? action

export const collectorOf = (collectors: readonly PolicyCollector[], rule: PolicyRule): PolicyCollector | undefined =>
  collectors.find(({ name }) => name === rule.collector)

/** A rule of this collector with its own defaults. */
export const freshRule = (collector: PolicyCollector): PolicyRule => ({
  collector: collector.name,
  action: collector.action,
  condition: {
    threshold: collector.threshold,
    min_n: collector.min_n,
    ...(collector.has_window && { window: collector.window }),
    ...(collector.has_p_value && { p_value: collector.p_value }),
  },
})

/** A rule of a policy as one sentence: "Fails hidden controls: from 70% of at least 4 graded controls, exclude." */
export function ruleInWords(rule: PolicyRule, collector: PolicyCollector | undefined): string {
  const { threshold, min_n: fewest, window, p_value: p, unsure_fails: unsureFails } = rule.condition
  const name = collector?.label ?? rule.collector.replaceAll('_', ' ')
  const from = threshold === undefined ? '' : isEffect(rule) ? `from ${threshold}` : `from ${formatShare(threshold)}`
  const of = fewest === undefined ? '' : ` of at least ${fewest} ${collector?.counts ?? 'cases'}`
  const newest = window ? ` in the newest ${window} HITs` : ''
  const chance = p ? `, where chance alone does so less than ${formatShare(p)} of the time` : ''
  const unsure = unsureFails ? ', unsure counted as failed' : ''
  return `${name}: ${from}${of}${newest}${chance}${unsure}, ${actionNames[rule.action]}.`
}

/** Cramér's V is an effect and not a share of anything. */
export const isEffect = ({ collector }: Pick<PolicyRule, 'collector'>): boolean => collector === 'position_bias'
