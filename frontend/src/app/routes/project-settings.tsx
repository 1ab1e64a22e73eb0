import { ProjectSettingsPage } from '@/features/projects/components/project-settings-page'
import { AttemptsSection } from '@/features/qualification/components/attempts-section'
import { TermsSection } from '@/features/qualification/components/terms-section'
import { curators } from '../shell/project-pages'
import { WithProject } from './with-project'

export function ProjectSettingsRoute() {
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
            </>
          }
        />
      )}
    </WithProject>
  )
}
