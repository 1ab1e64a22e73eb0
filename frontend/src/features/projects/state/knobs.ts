import type { Project } from '@/lib/api/contract'

/** What a curator can change about a project. */
export type Knobs = Pick<Project, 'name' | 'guidelines' | 'overlap' | 'captions_per_hit' | 'lease_minutes'>

export const knobTitles: Record<keyof Knobs, string> = {
  name: 'Name',
  guidelines: 'Guidelines',
  overlap: 'Judgments for each caption',
  captions_per_hit: 'Captions in a HIT',
  lease_minutes: 'Minutes a HIT is held',
}

const knobNames = ['name', 'guidelines', 'overlap', 'captions_per_hit', 'lease_minutes'] as const

export const knobsOf = (project: Project): Knobs => ({
  name: project.name,
  guidelines: project.guidelines,
  overlap: project.overlap,
  captions_per_hit: project.captions_per_hit,
  lease_minutes: project.lease_minutes,
})

/** Only what differs, so that a save touches nothing else. */
export function changedKnobs(base: Knobs, draft: Knobs): Partial<Knobs> {
  return Object.fromEntries(knobNames.filter((name) => base[name] !== draft[name]).map((name) => [name, draft[name]]))
}

export const differingNames = (a: Knobs, b: Knobs): (keyof Knobs)[] => knobNames.filter((name) => a[name] !== b[name])
