import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Project } from '@/lib/api/contract'
import { projectsQuery } from '@/lib/project/get-projects'

export interface NewProject {
  name: string
  direction: Project['direction']
}

export const createProject = (body: NewProject): Promise<Project> => unwrap(api.POST('/api/v1/projects', { body }))

export function useCreateProject() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: createProject,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey }),
  })
}
