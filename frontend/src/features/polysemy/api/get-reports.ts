import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { PolysemyReport } from '@/lib/api/served'

const quickMs = 3000
const over = new Set(['succeeded', 'failed', 'cancelled'])

/** Whether the run that measures may still add a corpus to its report. */
export const isOver = (report: PolysemyReport): boolean => over.has(report.status)

const getReports = (slug: string) => unwrap(api.GET('/api/v1/projects/{slug}/polysemy', { params: { path: { slug } } }))

const reportsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'polysemy'],
    queryFn: () => getReports(slug),
    refetchInterval: ({ state }) => (state.data?.some((report) => !isOver(report)) ? quickMs : false),
  })

/** A project's polysemy reports, newest first. */
export function useReports(slug: string) {
  return useQuery(reportsQuery(slug))
}
