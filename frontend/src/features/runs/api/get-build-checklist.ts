import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { BuildChecklist } from '@/lib/api/served'

const getBuildChecklist = (slug: string): Promise<BuildChecklist> =>
  unwrap(api.GET('/api/v1/projects/{slug}/hits/checklist', { params: { path: { slug } } }))

export function useBuildChecklist(slug: string) {
  return useQuery({
    queryKey: ['project', slug, 'build-checklist'],
    queryFn: () => getBuildChecklist(slug),
    // Somebody may have written the guidelines on another page since.
    staleTime: 0,
  })
}
