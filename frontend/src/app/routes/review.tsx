import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { ReviewPage } from '@/features/review/components/review-page'
import type { ReviewSearch } from '@/features/review/state/search'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

/** The view, its filters and the open case are in the address, so that each can be sent as a link. */
export function ReviewRoute() {
  const typed = useSearch({ from: '/signed-in/projects/$slug/review' })
  const navigate = useNavigate()
  const show = useCallback(
    (search: ReviewSearch) => void navigate({ to: '.', search: { ...search }, replace: true, resetScroll: false }),
    [navigate],
  )
  return (
    <WithProject roles={reviewers}>
      {(project) => <ReviewPage key={project.slug} project={project} typed={typed} onSearch={show} />}
    </WithProject>
  )
}
