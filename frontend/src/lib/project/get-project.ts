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

/** The project of the address; nothing on a page of none. */
export function useProject(slug = '') {
  return useQuery({ ...projectQuery(slug), enabled: slug !== '' })
}
