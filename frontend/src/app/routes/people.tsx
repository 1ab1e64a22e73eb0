import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { PeoplePage } from '@/features/people/components/people-page'
import { projectsQuery } from '@/lib/project/get-projects'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function PeopleRoute() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const leave = async () => {
    await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
    await navigate({ to: '/' })
  }
  return (
    <WithProject roles={reviewers}>
      {(project) => <PeoplePage key={project.slug} project={project} onLeft={() => void leave()} />}
    </WithProject>
  )
}
