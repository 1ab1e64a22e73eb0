import { QualifyPage } from '@/features/qualification/components/qualify-page'
import { everyone } from '../shell/project-pages'
import { WithProject } from './with-project'

export function QualifyRoute() {
  return <WithProject roles={everyone}>{(project) => <QualifyPage key={project.slug} project={project} />}</WithProject>
}
