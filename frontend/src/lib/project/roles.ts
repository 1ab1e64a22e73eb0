import type { Role } from '@/lib/api/contract'
import { t } from '@/messages/common'

export const roleNames: Record<Role, string> = {
  curator: t.curator,
  head_annotator: t.headAnnotator,
  annotator: t.annotator,
}

/** One sentence per role: what it may do. The person who assigns a role reads it. */
export const roleDuties: Record<Role, string> = {
  curator: t.curatorDuty,
  head_annotator: t.headAnnotatorDuty,
  annotator: t.annotatorDuty,
}

/** Whether this person sees the pool of captions, the votes and the walk. */
export const isReviewer = (role: Role): boolean => role !== 'annotator'
