import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Remark } from '@/lib/api/served'

const getTaskFeedback = async (slug: string, assignment: string): Promise<Remark[]> => {
  const path = '/api/v1/projects/{slug}/inbox'
  return (await unwrap(api.GET(path, { params: { path: { slug }, query: { assignment } } }))).results
}

const taskFeedbackQuery = (slug: string, assignment: string) =>
  queryOptions({
    queryKey: ['project', slug, 'inbox', 'task', assignment],
    queryFn: () => getTaskFeedback(slug, assignment),
  })

/** What was written about the answers of one task. The task is also shown without it. */
export function useTaskFeedback(slug: string, assignment: string): readonly Remark[] {
  return useQuery(taskFeedbackQuery(slug, assignment)).data ?? []
}
