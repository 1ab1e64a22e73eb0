import { CorporaPage } from '@/features/corpora/components/corpora-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function CorporaRoute() {
  return (
    <WithProject roles={reviewers}>{(project) => <CorporaPage key={project.slug} project={project} />}</WithProject>
  )
}
