import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Project } from '@/lib/api/contract'
import { projectQuery } from '@/lib/project/get-project'
import { projectsQuery } from '@/lib/project/get-projects'
import type { Knobs } from '../state/knobs'

export interface ProjectChange extends Partial<Knobs> {
  /** The version these changes were made on. */
  version: number
}

const updateProject = (slug: string, body: ProjectChange): Promise<Project> =>
  unwrap(api.PATCH('/api/v1/projects/{slug}', { params: { path: { slug } }, body }))

export function useUpdateProject(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: ProjectChange) => updateProject(slug, change),
    onSuccess: (project) => {
      queryClient.setQueryData(projectQuery(slug).queryKey, project)
      return queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
    },
  })
}
