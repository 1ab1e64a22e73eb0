import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { DiversityRun } from '@/lib/api/served'

const quickMs = 3000
const over = new Set(['succeeded', 'failed', 'cancelled'])

/** Whether the run of a report has ended. */
export const isOver = ({ status }: Pick<DiversityRun, 'status'>): boolean => over.has(status)

const reportsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'diversity'],
    queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/diversity', { params: { path: { slug } } })),
    refetchInterval: ({ state }) => (state.data?.some((report) => !isOver(report)) ? quickMs : false),
  })

const reportQuery = (slug: string, runId: string) =>
  queryOptions({
    queryKey: ['project', slug, 'diversity', runId],
    queryFn: () =>
      unwrap(api.GET('/api/v1/projects/{slug}/diversity/{run_id}', { params: { path: { slug, run_id: runId } } })),
    refetchInterval: ({ state }) => (state.data && !isOver(state.data) ? quickMs : false),
  })

const datasetsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'diversity-datasets'],
    queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/diversity/datasets', { params: { path: { slug } } })),
  })

/** A project's diversity reports, newest first. */
export const useReports = (slug: string) => useQuery(reportsQuery(slug))

/** One report, read again until its run has ended. */
export const useReport = (slug: string, runId: string) => useQuery(reportQuery(slug, runId))

/** What can be compared without a file. */
export const useDatasets = (slug: string) => useQuery(datasetsQuery(slug))
