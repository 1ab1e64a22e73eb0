import type { PolicyCollector, PolicyRule } from '@/lib/api/served'
import { formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/quality'

export const actionNames: Record<PolicyRule['action'], string> = {
  review: t.askReview,
  warn: t.saidWarn,
  pause: t.saidPause,
  exclude: t.saidExclude,
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
  const from =
    threshold === undefined
      ? ''
      : isEffect(rule)
        ? t.from({ threshold })
        : t.from({ threshold: formatShare(threshold) })
  const of = fewest === undefined ? '' : t.ofAtLeastN({ fewest, counts: collector?.counts ?? t.cases })
  const newest = window ? t.inNewestWindow({ window }) : ''
  const chance = p ? t.whereChance({ p: formatShare(p) }) : ''
  const unsure = unsureFails ? t.unsureAsFailed : ''
  return `${name}: ${from}${of}${newest}${chance}${unsure}, ${actionNames[rule.action]}.`
}

/** Cramér's V is an effect and not a share of anything. */
export const isEffect = ({ collector }: Pick<PolicyRule, 'collector'>): boolean => collector === 'position_bias'
