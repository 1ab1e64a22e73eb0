import { DifficultyPage } from '@/features/difficulty/components/difficulty-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function DifficultyRoute() {
  return (
    <WithProject roles={reviewers}>{(project) => <DifficultyPage key={project.slug} project={project} />}</WithProject>
  )
}
