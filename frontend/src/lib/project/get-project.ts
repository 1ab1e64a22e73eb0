import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Project } from '@/lib/api/contract'
import { orFromDesk } from '@/lib/store/kept-desk'

export const getProject = (slug: string): Promise<Project> =>
  unwrap(api.GET('/api/v1/projects/{slug}', { params: { path: { slug } } }))

export const projectQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug],
    queryFn: () =>
      orFromDesk(
        () => getProject(slug),
        ({ project }) => (project.slug === slug ? project : null),
      ),
  })

export function useProject(slug: string) {
  return useQuery(projectQuery(slug))
}
