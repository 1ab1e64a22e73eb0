import { ModelsPage } from '@/features/models/components/models-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function ModelsRoute() {
  return (
    <WithProject roles={reviewers}>{(project) => <ModelsPage key={project.slug} project={project} />}</WithProject>
  )
}
