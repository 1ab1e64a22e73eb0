import type { Progress, Project } from '@/lib/api/contract'

export interface WorkLeft {
  done: number
  /** What this person has done and can still get. */
  total: number
  /** By the pace of today; null before the first task of the day. */
  minutes: number | null
}

/** How far one annotator is: nobody gets a task twice, others take open assignments too, and a project may set a limit. */
export function workLeft({ mine, project: whole }: Progress, most: Project['hits_per_annotator']): WorkLeft {
  const done = mine.submitted_total
  const open = whole.assignments_needed - whole.assignments_submitted
  const left = Math.max(0, Math.min(open, Math.min(whole.hits, most ?? whole.hits) - done))
  const pace = mine.submitted_today > 0 ? mine.ms_today / mine.submitted_today : 0
  return { done, total: done + left, minutes: pace > 0 ? Math.max(1, Math.round((left * pace) / 60_000)) : null }
}
