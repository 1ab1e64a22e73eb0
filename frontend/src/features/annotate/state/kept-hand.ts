import type { NextAssignment } from '@/lib/api/contract'
import type { KeptDesk } from '@/lib/store/kept-desk'

/** What a page that is opened without a network finds of the HITs in hand. */

/** The first that is not submitted; where all are, the last, which waits to be sent. */
export const keptOnDesk =
  (slug: string, waiting: readonly string[]) =>
  ({ project, assignments }: KeptDesk): NextAssignment | null => {
    const assignment = assignments.find(({ id }) => !waiting.includes(id)) ?? assignments.at(-1)
    return assignment && project.slug === slug ? { assignment, reason: null } : null
  }

/** The one behind this one. */
export const keptBehind =
  (slug: string, current: string) =>
  ({ project, assignments }: KeptDesk): NextAssignment | null => {
    const at = assignments.findIndex(({ id }) => id === current)
    const assignment = at < 0 ? undefined : assignments[at + 1]
    return assignment && project.slug === slug ? { assignment, reason: null } : null
  }
