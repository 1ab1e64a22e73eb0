import type { PolicyCollector, PolicyRule } from '@/lib/api/served'
import { formatShare, formatTwoFigures } from '@/lib/format/numbers'
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

/** The gaps of a rule's sentence, as text or as fields. */
export interface RuleParts<Part> {
  threshold: Part
  fewest: Part
  action: Part
}

/** What a kind of rule counts, in words that fit into its sentence; one that this page does not know keeps the server's. */
const measures: Readonly<Record<string, string>> = {
  control_failures: t.measureControls,
  too_fast: t.measureFast,
  straight_lining: t.measureLines,
  disagreement: t.measureDissent,
  skips: t.measureSkips,
}

const names: Readonly<Record<string, string>> = {
  control_failures: t.controlsFailed,
  too_fast: t.tooFast,
  straight_lining: t.oneAnswer,
  position_bias: t.followsPlace,
  disagreement: t.disagrees,
  skips: t.skipsPages,
}

/** "Fails hidden test questions": what a kind of rule looks for. */
export const collectorName = (name: string): string => names[name] ?? name.replaceAll('_', ' ')

/** "When failed test questions reach 70% of at least 4: exclude." */
export const ruleSentence =
  (collector: string) =>
  (parts: Readonly<Record<keyof RuleParts<string>, string>>): string =>
    isEffect({ collector })
      ? t.ruleOfEffect(parts)
      : t.ruleOfShare({ ...parts, measure: measures[collector] ?? collectorName(collector) })

/** The numbers of a rule as they are written. */
export function ruleParts(rule: PolicyRule): RuleParts<string> {
  const { threshold = 0, min_n: fewest = 0 } = rule.condition
  return {
    threshold: isEffect(rule) ? formatTwoFigures(threshold) : formatShare(threshold),
    fewest: String(fewest),
    action: actionNames[rule.action],
  }
}

/** What else a rule says: its window, its false alarms, and how unsure counts. */
export function ruleLimits({ condition }: PolicyRule): string[] {
  const { window, p_value: p, unsure_fails: unsureFails } = condition
  return [
    window ? t.inNewestWindow({ window }) : '',
    p ? t.whereChance({ p: formatShare(p) }) : '',
    unsureFails ? t.unsureAsFailed : '',
  ].filter(Boolean)
}

/** A rule as plain text. */
export const ruleInWords = (rule: PolicyRule): string =>
  [ruleSentence(rule.collector)({ ...ruleParts(rule) }), ...ruleLimits(rule)].join(' ')

/** Cramér's V is an effect and not a share of anything. */
export const isEffect = ({ collector }: { collector: string }): boolean => collector === 'position_bias'
