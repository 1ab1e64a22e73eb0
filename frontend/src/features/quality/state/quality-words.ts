import type { Annotator, PolicyEffect } from '@/lib/api/served'
import type { Tone } from '@/components/ui/badge'
import { plural } from '@/lib/format/numbers'

export type State = Annotator['state']

export const stateLooks: Record<State, { name: string; tone: Tone }> = {
  active: { name: 'Active', tone: 'good' },
  warned: { name: 'Warned', tone: 'unsure' },
  paused: { name: 'Paused', tone: 'unsure' },
  excluded: { name: 'Excluded', tone: 'bad' },
}

/** What a state means for the person, for whoever gives it. */
export const decisions = [
  { value: 'active', label: 'Let them work', detail: 'Whatever the rules find, until you decide otherwise.' },
  { value: 'paused', label: 'Pause them', detail: 'They get no HITs; what they judged counts.' },
  { value: 'excluded', label: 'Exclude them', detail: 'They get no HITs, and what they judged does not count.' },
  { value: 'policy', label: 'Leave it to the rules', detail: 'As the policy in force finds.' },
] as const

export type Decision = (typeof decisions)[number]['value']

/** What applying a version would do to the dataset, or did, in sentences; nothing is ever deleted. */
export function effectInWords(effect: PolicyEffect, isDone = false): string[] {
  const say = (count: number, what: string, wouldBe: string, was: string) =>
    count > 0 && `${plural(count, what)} ${isDone ? was : wouldBe}.`
  const told = [
    say(effect.n_judgments_stop, 'judgment', 'would stop to count', 'stopped to count'),
    say(effect.n_judgments_start, 'judgment', 'would count again', 'counted again'),
    say(effect.n_pairs_reopen, 'pair', 'would ask for judgments again', 'asked for judgments again'),
    say(effect.n_pairs_close, 'pair', 'would have enough judgments again', 'had enough judgments again'),
    say(effect.n_labels_change, 'pair', 'would have another majority, or none', 'got another majority, or none'),
  ].filter((sentence) => sentence !== false)
  if (told.length > 0) return told
  return [isDone ? 'No judgment started or stopped to count.' : 'No judgment would start or stop to count.']
}
