import { InboxPage } from '@/features/inbox/components/inbox-page'
import { everyone } from '../shell/project-pages'
import { WithProject } from './with-project'

export function InboxRoute() {
  return <WithProject roles={everyone}>{(project) => <InboxPage key={project.slug} project={project} />}</WithProject>
}
