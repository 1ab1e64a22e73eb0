import { PolysemyPage } from '@/features/polysemy/components/polysemy-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function PolysemyRoute() {
  return (
    <WithProject roles={reviewers}>{(project) => <PolysemyPage key={project.slug} project={project} />}</WithProject>
  )
}
