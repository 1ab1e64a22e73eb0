import { useSearch } from '@tanstack/react-router'
import { InboxPage } from '@/features/inbox/components/inbox-page'
import { everyone } from '../shell/project-pages'
import { WithProject } from './with-project'

/** `?remark=3` opens that one. */
export function InboxRoute() {
  const { remark }: Record<string, unknown> = useSearch({ from: '/signed-in/projects/$slug/inbox' })
  return (
    <WithProject roles={everyone}>
      {(project) => (
        <InboxPage key={project.slug} project={project} remark={typeof remark === 'number' ? remark : undefined} />
      )}
    </WithProject>
  )
}
