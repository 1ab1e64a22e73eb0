import { MapPage } from '@/features/caption-map/components/map-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function MapRoute() {
  return <WithProject roles={reviewers}>{(project) => <MapPage key={project.slug} project={project} />}</WithProject>
}
