import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { PastHitPage } from '@/features/past-work/components/past-hit-page'
import { PastWorkPage } from '@/features/past-work/components/past-work-page'
import { type PastFilter, readFilter } from '@/features/past-work/state/past-filter'
import { everyone } from '../shell/project-pages'
import { WithProject } from './with-project'

/** `?label=bad&state=feedback&q=fog` narrows the answers; `task` is the one that is open beside the list. */
export function PastWorkRoute() {
  const { label, state, q, task }: Record<string, unknown> = useSearch({ from: '/signed-in/projects/$slug/past-work' })
  const navigate = useNavigate()
  const filter = useMemo(() => readFilter({ label, state, q }), [label, state, q])
  const show = (to: PastFilter) => void navigate({ to: '.', search: { ...to }, replace: true, resetScroll: false })
  return (
    <WithProject roles={everyone}>
      {(project) => (
        <PastWorkPage
          key={project.slug}
          project={project}
          filter={filter}
          task={typeof task === 'string' ? task : undefined}
          onFilter={show}
        />
      )}
    </WithProject>
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
