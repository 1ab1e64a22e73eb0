import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { DeleteSection } from '@/features/projects/components/delete-section'
import { HistorySection } from '@/features/projects/components/history-section'
import { ProjectSettingsPage } from '@/features/projects/components/project-settings-page'
import { AttemptsSection } from '@/features/qualification/components/attempts-section'
import { TermsSection } from '@/features/qualification/components/terms-section'
import { projectsQuery } from '@/lib/project/get-projects'
import { curators } from '../shell/project-pages'
import { WithProject } from './with-project'

export function ProjectSettingsRoute() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const leave = async () => {
    await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
    await navigate({ to: '/' })
  }
  return (
    <WithProject roles={curators}>
      {(project) => (
        <ProjectSettingsPage
          key={project.slug}
          project={project}
          more={
            <>
              <TermsSection slug={project.slug} />
              <AttemptsSection slug={project.slug} />
              <HistorySection slug={project.slug} />
              <DeleteSection project={project} onDeleted={() => void leave()} />
            </>
          }
        />
      )}
    </WithProject>
  )
}
