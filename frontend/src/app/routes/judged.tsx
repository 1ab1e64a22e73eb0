import { useParams } from '@tanstack/react-router'
import { JudgedPage } from '@/features/feedback/components/judged-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function JudgedRoute() {
  const { annotatorId } = useParams({ from: '/signed-in/projects/$slug/quality/annotators/$annotatorId/answers' })
  return (
    <WithProject roles={reviewers}>
      {(project) => <JudgedPage key={annotatorId} project={project} annotator={Number(annotatorId)} />}
    </WithProject>
  )
}
