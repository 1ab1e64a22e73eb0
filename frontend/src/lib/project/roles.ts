import type { Role } from '@/lib/api/contract'

export const roleNames: Record<Role, string> = {
  curator: 'Curator',
  head_annotator: 'Head annotator',
  annotator: 'Annotator',
}

/** What each role may do, in one sentence, for whoever gives it. */
export const roleDuties: Record<Role, string> = {
  curator: 'Runs the walk, changes the project and invites people.',
  head_annotator: 'Judges, and sees every caption with its votes.',
  annotator: 'Judges captions and reads the releases.',
}

/** Whether this person sees the pool of captions, the votes and the walk. */
export const isReviewer = (role: Role): boolean => role !== 'annotator'
