import { OverviewPage } from '@/features/overview/components/overview-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function OverviewRoute() {
  return (
    <WithProject roles={reviewers}>{(project) => <OverviewPage key={project.slug} project={project} />}</WithProject>
  )
}
