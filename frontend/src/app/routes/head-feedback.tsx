import { useNavigate, useSearch } from '@tanstack/react-router'
import { FeedbackPage } from '@/features/feedback/components/feedback-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

/** `?state=waiting` shows what needs a reply, so that it can be sent as a link. */
export function FeedbackRoute() {
  const search = useSearch({ from: '/signed-in/projects/$slug/feedback' })
  const navigate = useNavigate()
  return (
    <WithProject roles={reviewers}>
      {(project) => (
        <FeedbackPage
          key={project.slug}
          project={project}
          search={search}
          onSearch={(asked) => void navigate({ to: '.', search: asked, replace: true, resetScroll: false })}
        />
      )}
    </WithProject>
  )
}
