import type { Project } from '@/lib/api/contract'
import { useUnread } from '@/lib/feedback/get-unread'
import { useWaitingReplies } from '@/lib/feedback/get-waiting'
import { feedbackPage, inboxPage, type ProjectPage } from './project-pages'

/** How much waits for the person on each page: feedback to read, replies to answer. */
export function useMarks({ slug, role }: Project): Partial<Record<ProjectPage['to'], number>> {
  const unread = useUnread(slug)
  const waiting = useWaitingReplies(slug, role !== 'annotator')
  return { [inboxPage]: unread, [feedbackPage]: waiting }
}
