import { WebhooksPage } from '@/features/webhooks/components/webhooks-page'
import { curators } from '../shell/project-pages'
import { WithProject } from './with-project'

export function WebhooksRoute() {
  return <WithProject roles={curators}>{(project) => <WebhooksPage key={project.slug} slug={project.slug} />}</WithProject>
}
