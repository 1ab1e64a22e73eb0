import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/projects'

const knobNames = [
  'name',
  'guidelines',
  'overlap',
  'captions_per_hit',
  'lease_minutes',
  'control_rate',
  'confidence',
  'max_overlap',
  'hits_per_annotator',
  'shuffles_options',
  'pay_per_hit',
  'pay_fee',
] as const

/** What a curator can change about a project. */
export type Knobs = Pick<Project, Exclude<(typeof knobNames)[number], 'control_rate'>> & {
  /** Null only for annotators, who change nothing. */
  control_rate: number
}

export const knobTitles: Record<keyof Knobs, string> = {
  name: t.name,
  guidelines: t.guidelines,
  overlap: t.overlap,
  captions_per_hit: t.captionsPerHit,
  lease_minutes: t.lease,
  control_rate: t.controlRate,
  confidence: t.certainty,
  max_overlap: t.atMost,
  hits_per_annotator: t.hitsPerPerson,
  shuffles_options: t.shuffle,
  pay_per_hit: t.payPerHit,
  pay_fee: t.fee,
}

export const knobsOf = (project: Project): Knobs =>
  Object.fromEntries(knobNames.map((name) => [name, project[name]])) as unknown as Knobs

/** Only what differs, so that a save touches nothing else. */
export function changedKnobs(base: Knobs, draft: Knobs): Partial<Knobs> {
  return Object.fromEntries(differingNames(base, draft).map((name) => [name, draft[name]]))
}

export const differingNames = (a: Knobs, b: Knobs): (keyof Knobs)[] => knobNames.filter((name) => a[name] !== b[name])

/** A knob as its field shows it, for who compares two versions. */
export function knobInWords(name: keyof Knobs, value: Knobs[keyof Knobs]): string {
  if (value === null || value === '') return t.empty
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (name === 'control_rate' || name === 'confidence' || name === 'pay_fee') return String(toPercent(Number(value)))
  return String(value)
}

/** Shares are written as percents, to a tenth. */
export const toPercent = (share: number): number => Math.round(share * 1000) / 10
export const fromPercent = (percent: number): number => Math.round(percent * 10) / 1000
