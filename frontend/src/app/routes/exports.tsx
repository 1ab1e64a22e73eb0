import { ExportsPage } from '@/features/exports/components/exports-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function ExportsRoute() {
  return <WithProject roles={reviewers}>{(project) => <ExportsPage key={project.slug} project={project} />}</WithProject>
}
