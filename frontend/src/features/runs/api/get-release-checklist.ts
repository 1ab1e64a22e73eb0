import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { ReleaseChecklist } from '@/lib/api/served'

const getReleaseChecklist = (slug: string): Promise<ReleaseChecklist> =>
  unwrap(api.GET('/api/v1/projects/{slug}/releases/checklist', { params: { path: { slug } } }))

export const releaseChecklistQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'release-checklist'],
    queryFn: () => getReleaseChecklist(slug),
    // A release of now is checked as the project is now.
    staleTime: 0,
  })

export function useReleaseChecklist(slug: string, isEnabled = true) {
  return useQuery({ ...releaseChecklistQuery(slug), enabled: isEnabled })
}
