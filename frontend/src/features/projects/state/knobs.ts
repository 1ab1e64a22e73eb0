import type { Project } from '@/lib/api/contract'

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
  name: 'Name',
  guidelines: 'Guidelines',
  overlap: 'Judgments for each caption',
  captions_per_hit: 'Captions in a HIT',
  lease_minutes: 'Minutes a HIT is held',
  control_rate: 'Hidden controls, in percent',
  confidence: 'Certainty wanted, in percent',
  max_overlap: 'Judgments at most',
  hits_per_annotator: 'HITs one person may submit',
  shuffles_options: 'Shuffle the answers',
  pay_per_hit: 'Pay for one HIT',
  pay_fee: 'Fee on top, in percent',
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
  if (value === null || value === '') return 'empty'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (name === 'control_rate' || name === 'confidence' || name === 'pay_fee') return String(toPercent(Number(value)))
  return String(value)
}

/** Shares are written as percents, to a tenth. */
export const toPercent = (share: number): number => Math.round(share * 1000) / 10
export const fromPercent = (percent: number): number => Math.round(percent * 10) / 1000
