import { ExplorePage } from '@/features/explore/components/explore-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function ExploreRoute() {
  return (
    <WithProject roles={reviewers}>{(project) => <ExplorePage key={project.slug} project={project} />}</WithProject>
  )
}
