import type { Project } from '@/lib/api/contract'
import { useUnread } from '@/lib/feedback/get-unread'
import { useWaitingReplies } from '@/lib/feedback/get-waiting'
import { useReviewCounts } from '@/lib/review/get-review-counts'
import { feedbackPage, inboxPage, type ProjectPage, reviewPage } from './project-pages'

/** How much waits for the person on each page: feedback to read, replies to answer, cases to review. */
export function useMarks({ slug, role }: Project): Partial<Record<ProjectPage['to'], number>> {
  const unread = useUnread(slug)
  const waiting = useWaitingReplies(slug, role !== 'annotator')
  const cases = useReviewCounts(slug, role !== 'annotator')?.open ?? 0
  return { [inboxPage]: unread, [feedbackPage]: waiting, [reviewPage]: cases }
}
