import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Project } from '@/lib/api/contract'

export const getProject = (slug: string): Promise<Project> =>
  unwrap(api.GET('/api/v1/projects/{slug}', { params: { path: { slug } } }))

export const projectQuery = (slug: string) =>
  queryOptions({ queryKey: ['project', slug], queryFn: () => getProject(slug) })

export function useProject(slug: string) {
  return useQuery(projectQuery(slug))
}
