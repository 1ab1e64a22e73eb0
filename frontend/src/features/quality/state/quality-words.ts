import type { IconName } from '@/components/ui/icon'
import type { Annotator, Control, ControlSupply, PolicyEffect, Said } from '@/lib/api/served'
import { formatShare, formatTwoFigures } from '@/lib/format/numbers'
import { dayOf } from '@/lib/format/time'
import { say } from '@/lib/language/catalogue'
import { t } from '@/messages/quality'

export type State = Annotator['state']

export interface StateLook {
  name: string
  icon?: IconName
  /** The more it takes away from a person, the heavier it looks. */
  weight: 'quiet' | 'notable' | 'strong'
}

/** How a person stands. */
export const personLooks: Record<State, StateLook> = {
  active: { name: t.active, weight: 'quiet' },
  warned: { name: t.warned, icon: 'alert', weight: 'notable' },
  paused: { name: t.paused, icon: 'pause', weight: 'notable' },
  excluded: { name: t.excluded, icon: 'stop', weight: 'strong' },
}

/** How a control stands. */
export const controlLooks: Record<Control['state'], StateLook> = {
  active: { name: t.inUse, weight: 'quiet' },
  quarantined: { name: t.quarantined, icon: 'alert', weight: 'notable' },
  retired: { name: t.retired, icon: 'pause', weight: 'quiet' },
}

/** Why a control is in its state: the audit's figures, what a person's deed means, or what the person wrote. */
export function whyInWords(why: Said): string {
  if (why.code !== 'control_failed_by_good') return say(why)
  const { failed, good, p, on } = why.params
  return t.failedByGood({
    failed: Number(failed),
    good: Number(good),
    p: formatTwoFigures(Number(p)),
    on: dayOf(String(on)),
  })
}

/** What a state means for the person, for whoever gives it. */
export const decisions = [
  { value: 'reviewed', label: t.noteLooked, detail: t.noteLookedHint },
  { value: 'active', label: t.letWork, detail: t.letWorkHint },
  { value: 'paused', label: t.pauseThem, detail: t.pauseHint },
  { value: 'excluded', label: t.excludeThem, detail: t.excludeHint },
  { value: 'policy', label: t.leaveToRules, detail: t.leaveToRulesHint },
] as const

export type Decision = (typeof decisions)[number]['value']

const ofHeads = [
  { value: 'reviewed', label: t.noteLooked, detail: t.noteLookedHint },
  { value: 'paused', label: t.pauseThem, detail: t.pauseHint },
  { value: 'policy', label: t.takePauseBack, detail: t.takePauseBackHint },
] as const

/** Of what somebody may say of a person, what the server takes from them as that person stands. */
export const decisionsOf = (mayCurate: boolean, decidable: readonly Decision[]) =>
  (mayCurate ? decisions : ofHeads).filter(({ value }) => decidable.includes(value))

/** Why controls want looking after; the server says when, and its figures say which of these it is. */
export function warningInWords(supply: ControlSupply): string {
  const told = [
    supply.rate > 0 && supply.looked_at > 0 && supplyShort(supply),
    supply.is_ungraded && t.ungraded,
    supply.sight.is_blind && blindness(supply.sight),
  ]
  return told.filter((sentence) => sentence !== false).join(' ')
}

const blindness = ({ n_good: n, n_people: people }: ControlSupply['sight']) =>
  n === 0 ? t.nobodyGood : t.fewGood({ n, people })

function supplyShort({ n_active: inUse, n_undealt: undealt, ...ahead }: ControlSupply): string | false {
  const rate = formatShare(ahead.rate)
  if (!ahead.is_short) return false
  if (inUse === 0) return t.noneHidden({ rate })
  if (undealt > 0) return t.notDealt({ n: undealt })
  return t.runningLow({ rate, n: ahead.looked_at, wanted: Math.round(ahead.wanted), there: ahead.available })
}

/** What applying a version would do to the dataset, or did, in sentences; nothing is ever deleted. */
export function effectInWords(effect: PolicyEffect, isDone = false): string[] {
  const line = (n: number, wouldBe: typeof t.stopWould, was: typeof t.stopDid) =>
    n > 0 && (isDone ? was : wouldBe)({ n })
  const told = [
    line(effect.n_judgments_stop, t.stopWould, t.stopDid),
    line(effect.n_judgments_start, t.startWould, t.startDid),
    line(effect.n_pairs_reopen, t.reopenWould, t.reopenDid),
    line(effect.n_pairs_close, t.closeWould, t.closeDid),
    line(effect.n_labels_change, t.relabelWould, t.relabelDid),
  ].filter((sentence) => sentence !== false)
  if (told.length > 0) return told
  return [isDone ? t.noneStopped : t.noneWouldStop]
}
