import type { Project } from '@/lib/api/contract'
import { useUnread } from '@/lib/feedback/get-unread'
import { useWaitingReplies } from '@/lib/feedback/get-waiting'
import { useReviewCounts } from '@/lib/review/get-review-counts'
import { t } from '@/messages/shell'
import { feedbackPage, inboxPage, type ProjectPage, reviewPage } from './project-pages'

export type Marks = Partial<Record<ProjectPage['to'], number>>

/** How much waits for the person on each page: feedback to read, replies to answer, cases to review. */
export function useMarks({ slug, role }: Project): Marks {
  const unread = useUnread(slug)
  const waiting = useWaitingReplies(slug, role !== 'annotator')
  const cases = useReviewCounts(slug, role !== 'annotator')?.open ?? 0
  return { [inboxPage]: unread, [feedbackPage]: waiting, [reviewPage]: cases }
}

/** What waits on these pages together, and in words where it is more than something to read. */
export function markOf(pages: readonly ProjectPage[], marks: Marks): { n: number; words?: string } {
  const marked = pages.filter(({ to }) => marks[to])
  const n = marked.reduce((sum, { to }) => sum + (marks[to] ?? 0), 0)
  if (marked.length > 1) return { n, words: t.waiting({ n }) }
  return marked[0]?.to === reviewPage ? { n, words: t.openCases({ n }) } : { n }
}
