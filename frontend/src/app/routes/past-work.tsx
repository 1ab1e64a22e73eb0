import { useParams, useSearch } from '@tanstack/react-router'
import { PastHitPage } from '@/features/past-work/components/past-hit-page'
import { PastWorkPage } from '@/features/past-work/components/past-work-page'
import { everyone } from '../shell/project-pages'
import { WithProject } from './with-project'

export function PastWorkRoute() {
  return (
    <WithProject roles={everyone}>{(project) => <PastWorkPage key={project.slug} project={project} />}</WithProject>
  )
}

/** `?at=3` is the item that a remark is about. */
export function PastHitRoute() {
  const { assignmentId } = useParams({ from: '/signed-in/projects/$slug/past-work/$assignmentId' })
  const { at } = useSearch({ from: '/signed-in/projects/$slug/past-work/$assignmentId' })
  return (
    <WithProject roles={everyone}>
      {(project) => (
        <PastHitPage
          key={assignmentId}
          project={project}
          assignmentId={assignmentId}
          at={typeof at === 'number' ? at : undefined}
        />
      )}
    </WithProject>
  )
}
